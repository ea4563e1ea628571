//! First step: from tokens to the arguments and the item, as the user wrote them.

pub(crate) mod args;
pub(crate) mod container;
pub(crate) mod item;
pub(crate) mod name;
pub(crate) mod parameter;
pub(crate) mod tail;
