//! What a program told NVTX: data, its JSON lines, and the way back.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The thread that made it, as the operating system numbers it.
    pub thread: u32,
    /// What it was.
    pub what: What,
}

/// What was called. The default domain has the empty name.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A domain was made.
    Domain(String),
    /// A text was registered.
    Register {
        /// The domain's name.
        domain: String,
        /// The text.
        text: String,
    },
    /// A range opens on this thread.
    Push {
        /// The domain's name.
        domain: String,
        /// The range's name.
        message: Message,
        /// The number that comes with it.
        payload: Option<Payload>,
    },
    /// The range that opened last on this thread closes.
    Pop {
        /// The domain's name.
        domain: String,
    },
    /// A range opens in the process.
    Start {
        /// The domain's name.
        domain: String,
        /// The range's name.
        message: Message,
    },
    /// A range of the process closes.
    End {
        /// The domain's name.
        domain: String,
    },
    /// A point in time.
    Mark {
        /// The domain's name.
        domain: String,
        /// The point's name.
        message: Message,
    },
    /// A thread gets a name.
    NameThread {
        /// The thread that gets it.
        named: u32,
        /// The name.
        name: String,
    },
    /// Something else gets a name: a category, a CUDA stream, a resource.
    Name {
        /// What it is: `category`, `cuda stream`, `resource 262147`.
        kind: String,
        /// Its number or its address.
        id: u64,
        /// The name.
        name: String,
    },
}

/// How a range's name came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// None came.
    None,
    /// As ASCII or wide characters, with each call.
    Text(String),
    /// As what was registered before.
    Registered(String),
    /// As something that was never registered in this domain.
    Unknown(u64),
}

impl Message {
    /// The name, if there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Registered(text) => Some(text),
            Self::None | Self::Unknown(_) => None,
        }
    }
}

/// A number that comes with a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Payload {
    /// 64 bits, unsigned: where our span ids are.
    U64(u64),
    /// Of another type.
    Other(f64),
}

impl Call {
    /// One JSON object.
    pub fn line(&self) -> String {
        let mut line = match &self.what {
            What::Domain(name) => json!({"call": "domain", "domain": name}),
            What::Register { domain, text } => json!({"call": "register", "domain": domain, "text": text}),
            What::Push { domain, message, payload } => {
                let mut line = json!({"call": "push", "domain": domain, "message": message_value(message)});
                match payload {
                    Some(Payload::U64(number)) => line["payload"] = json!(number),
                    Some(Payload::Other(number)) => line["other_payload"] = json!(number),
                    None => {}
                }
                line
            }
            What::Pop { domain } => json!({"call": "pop", "domain": domain}),
            What::Start { domain, message } => {
                json!({"call": "start", "domain": domain, "message": message_value(message)})
            }
            What::End { domain } => json!({"call": "end", "domain": domain}),
            What::Mark { domain, message } => {
                json!({"call": "mark", "domain": domain, "message": message_value(message)})
            }
            What::NameThread { named, name } => json!({"call": "name_thread", "named": named, "name": name}),
            What::Name { kind, id, name } => json!({"call": "name", "kind": kind, "id": id, "name": name}),
        };
        line["thread"] = json!(self.thread);
        line.to_string()
    }

    /// Reads what [`line`](Self::line) wrote; `None`: it is something else.
    pub fn parse(line: &str) -> Option<Self> {
        let line: Map<String, Value> = serde_json::from_str(line).ok()?;
        let text = |key: &str| Some(line.get(key)?.as_str()?.to_owned());
        let domain = || text("domain");
        let message = || message_of(line.get("message")?);
        let what = match line.get("call")?.as_str()? {
            "domain" => What::Domain(domain()?),
            "register" => What::Register { domain: domain()?, text: text("text")? },
            "push" => {
                let whole = line.get("payload").and_then(Value::as_u64).map(Payload::U64);
                let other = line.get("other_payload").and_then(Value::as_f64).map(Payload::Other);
                What::Push { domain: domain()?, message: message()?, payload: whole.or(other) }
            }
            "pop" => What::Pop { domain: domain()? },
            "start" => What::Start { domain: domain()?, message: message()? },
            "end" => What::End { domain: domain()? },
            "mark" => What::Mark { domain: domain()?, message: message()? },
            "name_thread" => What::NameThread { named: number(line.get("named")?)?, name: text("name")? },
            "name" => What::Name { kind: text("kind")?, id: line.get("id")?.as_u64()?, name: text("name")? },
            _ => return None,
        };
        Some(Self { thread: number(line.get("thread")?)?, what })
    }
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

fn message_value(message: &Message) -> Value {
    match message {
        Message::None => Value::Null,
        Message::Text(text) => json!({"text": text}),
        Message::Registered(text) => json!({"registered": text}),
        Message::Unknown(number) => json!({"unknown": number}),
    }
}

fn message_of(value: &Value) -> Option<Message> {
    let Value::Object(message) = value else { return Some(Message::None) };
    let (key, value) = message.iter().next()?;
    Some(match key.as_str() {
        "text" => Message::Text(value.as_str()?.to_owned()),
        "registered" => Message::Registered(value.as_str()?.to_owned()),
        _ => Message::Unknown(value.as_u64()?),
    })
}

/// The calls in a file that the capture wrote.
///
/// # Errors
/// The file cannot be read, or a line is none of ours; the message names it.
pub fn read_file(path: &Path) -> io::Result<Vec<Call>> {
    fs::read_to_string(path)?
        .lines()
        .map(|line| Call::parse(line).ok_or_else(|| io::Error::other(format!("`{line}` is no line of a capture"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back_as_what_it_was() {
        let domain = || "kina".to_owned();
        let push = |message, payload| What::Push { domain: domain(), message, payload };
        let whats = [
            What::Domain(domain()),
            What::Register { domain: domain(), text: "π \"2\"\n".into() },
            push(Message::Registered("matmul".into()), Some(Payload::U64(u64::MAX))),
            push(Message::Text("gelu".into()), Some(Payload::Other(-1.5))),
            push(Message::Unknown(7), None),
            push(Message::None, None),
            What::Pop { domain: domain() },
            What::Start { domain: domain(), message: Message::None },
            What::End { domain: domain() },
            What::Mark { domain: domain(), message: Message::Text("here".into()) },
            What::NameThread { named: 7, name: "worker".into() },
            What::Name { kind: "cuda stream".into(), id: 1, name: "copy".into() },
        ];
        for what in whats {
            let call = Call { thread: 12, what };
            assert_eq!(Call::parse(&call.line()), Some(call));
        }
        assert_eq!(Call::parse("{}"), None);
        assert_eq!(Call::parse("push"), None);
    }
}
