//! A language server: verdicts, traces and invariants where the code is.
//!
//! A file is checked when it is opened and when it is saved, on a thread of its own; the next edit or save
//! cancels the run. What a run found becomes diagnostics (the trace as related information), hovers,
//! code lenses and inlay hints ([`view`]). Edits do not move them: they are those of the last save.

mod view;

use crate::{Checker, Error, SourceOptions};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use view::View;

/// How to read a file.
pub type OptionsOf<'a> = &'a dyn Fn(&Path) -> Result<SourceOptions, Error>;

/// A document that the editor has open.
#[derive(Default)]
struct Document {
    /// Raised to end the check that is under way.
    running: Option<Arc<AtomicBool>>,
    /// Counts checks: answers of older ones are dropped.
    turn: u64,
    view: View,
}

/// The end of a check.
struct Ended {
    uri: String,
    turn: u64,
    view: View,
}

struct Server<'a> {
    connection: &'a Connection,
    options: OptionsOf<'a>,
    time: Duration,
    documents: BTreeMap<String, Document>,
    ended: Sender<Ended>,
    requests: i32,
    /// The editor can be asked to ask again.
    refresh: bool,
}

/// Serves the editor at standard input and output until it says goodbye.
pub fn serve(time: Duration, options: OptionsOf<'_>) -> Result<(), Error> {
    let (connection, threads) = Connection::stdio();
    let failed = |e: &dyn std::fmt::Display| Error::Message(format!("language server: {e}"));
    let asked = connection
        .initialize(capabilities())
        .map_err(|e| failed(&e))?;
    let (ended, results) = unbounded();
    let refresh = asked["capabilities"]["workspace"]["codeLens"]["refreshSupport"] == json!(true);
    let mut server = Server {
        connection: &connection,
        options,
        time,
        documents: BTreeMap::new(),
        ended,
        requests: 0,
        refresh,
    };
    let end = server.run(&results);
    drop(server);
    drop(connection);
    end?;
    threads.join().map_err(|e| failed(&e))
}

fn capabilities() -> Value {
    json!({
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "hoverProvider": true,
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
    })
}

impl Server<'_> {
    fn run(&mut self, results: &Receiver<Ended>) -> Result<(), Error> {
        let incoming = self.connection.receiver.clone();
        loop {
            select! {
                recv(incoming) -> message => match message {
                    Ok(Message::Request(request)) => {
                        let over = self.connection.handle_shutdown(&request);
                        if over.map_err(|e| Error::Message(e.to_string()))? {
                            return Ok(());
                        }
                        self.answer(request);
                    }
                    Ok(Message::Notification(note)) => self.hear(&note),
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(results) -> ended => if let Ok(ended) = ended {
                    self.show(ended);
                },
            }
        }
    }

    fn send(&self, message: Message) {
        // An editor that is gone ends the loop.
        let _ = self.connection.sender.send(message);
    }

    fn hear(&mut self, note: &Notification) {
        let document = &note.params["textDocument"];
        let Some(uri) = document["uri"].as_str().map(String::from) else {
            return;
        };
        match note.method.as_str() {
            "textDocument/didOpen" | "textDocument/didSave" => self.check(&uri),
            "textDocument/didChange" => self.cancel(&uri),
            "textDocument/didClose" => {
                self.cancel(&uri);
                self.documents.remove(&uri);
            }
            _ => {}
        }
    }

    fn cancel(&mut self, uri: &str) {
        if let Some(flag) = self.documents.get_mut(uri).and_then(|d| d.running.take()) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Starts a check of the file as it is on disk.
    fn check(&mut self, uri: &str) {
        self.cancel(uri);
        let Some(path) = path_of(uri) else { return };
        if crate::Language::of(&path).is_none() {
            return;
        }
        let document = self.documents.entry(uri.to_string()).or_default();
        document.turn += 1;
        let (turn, sender) = (document.turn, self.ended.clone());
        let uri = uri.to_string();
        let options = match (self.options)(&path) {
            Ok(options) => options,
            Err(error) => {
                let view = View::of_error(&path, &error);
                let _ = sender.send(Ended { uri, turn, view });
                return;
            }
        };
        let checker = Checker::new().source(options).time(self.time);
        let flag = checker.cancel_flag();
        document.running = Some(Arc::clone(&flag));
        std::thread::spawn(move || {
            let view = match checker.check_file(&path) {
                Ok(outcome) => View::of(&path, &outcome),
                Err(error) => View::of_error(&path, &error),
            };
            if !flag.load(Ordering::Relaxed) {
                let _ = sender.send(Ended { uri, turn, view });
            }
        });
    }

    fn show(&mut self, ended: Ended) {
        let Some(document) = self.documents.get_mut(&ended.uri) else {
            return;
        };
        if document.turn != ended.turn {
            return;
        }
        document.running = None;
        let params = json!({ "uri": ended.uri, "diagnostics": ended.view.diagnostics });
        document.view = ended.view;
        let method = "textDocument/publishDiagnostics".to_string();
        self.send(Message::Notification(Notification { method, params }));
        if self.refresh {
            for method in ["workspace/codeLens/refresh", "workspace/inlayHint/refresh"] {
                self.requests += 1;
                let id = RequestId::from(self.requests);
                let request = Request::new(id, method.into(), Value::Null);
                self.send(Message::Request(request));
            }
        }
    }

    fn answer(&self, request: Request) {
        let uri = request.params["textDocument"]["uri"].as_str().unwrap_or("");
        let view = self.documents.get(uri).map(|d| &d.view);
        let result = match (request.method.as_str(), view) {
            (_, None) => Value::Null,
            ("textDocument/hover", Some(view)) => {
                let line = request.params["position"]["line"].as_u64();
                view.hover(line.unwrap_or(0))
            }
            ("textDocument/codeLens", Some(view)) => json!(view.lenses),
            ("textDocument/inlayHint", Some(view)) => {
                let range = &request.params["range"];
                let line = |end: &str| range[end]["line"].as_u64();
                view.hints(line("start").unwrap_or(0), line("end").unwrap_or(u64::MAX))
            }
            (_, Some(_)) => {
                let text = format!("no method {}", request.method);
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                self.send(Message::Response(Response::new_err(request.id, code, text)));
                return;
            }
        };
        self.send(Message::Response(Response::new_ok(request.id, result)));
    }
}

/// The file that a URI names.
fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = rest.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_uris() {
        assert_eq!(
            path_of("file:///a%20b/c.c"),
            Some(PathBuf::from("/a b/c.c"))
        );
        assert_eq!(path_of("untitled:1"), None);
    }
}
