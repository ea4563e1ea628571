//! Holds the exact words of every compile error; everything is in `tests/`.
