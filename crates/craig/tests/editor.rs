//! The language server: its protocol over a pipe, and a real client, Debian's `nvim` without a window.
//! Without it that test says that it is skipped.
#![allow(clippy::unwrap_used)]

mod common;

use common::{COUNTERS_SAFE, skipped};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 77) reach_error();
  return 0;
}
";
fn file(name: &str, text: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("craig-editor-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("p.c");
    std::fs::write(&path, text).unwrap();
    path
}

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_craig"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut client = Client {
            child,
            input,
            output: BufReader::new(output),
        };
        client.send(&json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}));
        let told = client.until(|m| m["id"] == 1);
        assert_eq!(told["result"]["capabilities"]["hoverProvider"], true);
        client.send(&json!({"method": "initialized", "params": {}}));
        client
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn note(&mut self, what: &str, path: &Path) {
        let uri = format!("file://{}", path.display());
        let document = json!({"uri": uri, "languageId": "c", "version": 1, "text": ""});
        let params = json!({"textDocument": document, "contentChanges": []});
        self.send(&json!({"method": format!("textDocument/{what}"), "params": params}));
    }

    fn ask(&mut self, what: &str, path: &Path, more: Value) -> Value {
        let mut params = more;
        params["textDocument"] = json!({"uri": format!("file://{}", path.display())});
        self.send(&json!({"id": 9, "method": format!("textDocument/{what}"), "params": params}));
        self.until(|m| m["id"] == 9)["result"].clone()
    }

    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert!(
                    self.output.read_line(&mut line).unwrap() > 0,
                    "the server ended"
                );
                match line.trim().strip_prefix("Content-Length: ") {
                    Some(n) => length = n.parse().unwrap(),
                    None if line.trim().is_empty() => break,
                    None => {}
                }
            }
            let mut text = vec![0; length];
            self.output.read_exact(&mut text).unwrap();
            let message: Value = serde_json::from_slice(&text).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }

    fn diagnostics(&mut self) -> Value {
        let told = self.until(|m| m["method"] == "textDocument/publishDiagnostics");
        told["params"]["diagnostics"].clone()
    }

    fn end(mut self) {
        self.send(&json!({"id": 2, "method": "shutdown"}));
        self.until(|m| m["id"] == 2);
        self.send(&json!({"method": "exit"}));
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn diagnostics_hovers_lenses_and_hints() {
    let path = file("protocol", UNSAFE);
    let mut client = Client::start();
    client.note("didOpen", &path);
    let found = client.diagnostics();
    assert_eq!(found[0]["range"]["start"]["line"], 4, "{found}");
    assert!(
        found[0]["message"].as_str().unwrap().contains("77"),
        "{found}"
    );
    assert!(
        !found[0]["relatedInformation"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let lenses = client.ask("codeLens", &path, json!({}));
    assert!(lenses.to_string().contains("violated"), "{lenses}");
    // The file is mended and saved; an edit in between cancels what runs.
    std::fs::write(&path, COUNTERS_SAFE).unwrap();
    client.note("didSave", &path);
    client.note("didChange", &path);
    client.note("didSave", &path);
    assert_eq!(client.diagnostics(), json!([]));
    let hover = client.ask(
        "hover",
        &path,
        json!({"position": {"line": 4, "character": 3}}),
    );
    assert!(hover.to_string().contains("invariant"), "{hover}");
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let hints = client.ask("inlayHint", &path, json!({"range": whole}));
    assert_eq!(hints[0]["position"]["line"], 4, "{hints}");
    let lenses = client.ask("codeLens", &path, json!({}));
    assert!(lenses.to_string().contains("proved"), "{lenses}");
    std::fs::write(&path, "int main(void) { return x; }").unwrap();
    client.note("didSave", &path);
    assert_eq!(client.diagnostics()[0]["severity"], 1);
    client.end();
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn a_real_client() {
    if Command::new("nvim").arg("--version").output().is_err() {
        skipped("there is no nvim to be the client");
        return;
    }
    let path = file("nvim", UNSAFE);
    let script = path.with_extension("lua");
    let server = env!("CARGO_BIN_EXE_craig");
    let lua = format!(
        "local id = vim.lsp.start_client({{ name = 'craig', cmd = {{ '{server}', 'lsp' }} }})\n\
         vim.cmd('edit {}')\n\
         vim.lsp.buf_attach_client(0, id)\n\
         vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)\n\
         for _, d in ipairs(vim.diagnostic.get(0)) do io.stdout:write('line ' .. d.lnum .. ': ' .. d.message .. '\\n') end\n\
         vim.cmd('qall!')\n",
        path.display()
    );
    std::fs::write(&script, lua).unwrap();
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-c"])
        .arg(format!("luafile {}", script.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("line 4: Violated: "), "{text}");
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
}
