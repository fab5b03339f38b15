//! A browser without a window, driven by the WebDriver protocol: JSON over HTTP, one request a connection.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Columns and rows of the grid that screenshots are compared by.
const GRID: (usize, usize) = (30, 20);

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts the driver and a browser; `None` where one of them is missing.
    pub fn start(folder: &Path) -> Option<Browser> {
        let port = TcpListener::bind("127.0.0.1:0")
            .ok()?
            .local_addr()
            .ok()?
            .port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let profile = format!("--user-data-dir={}", folder.join("profile").display());
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,800",
            "--force-device-scale-factor=1",
            "--hide-scrollbars",
            profile.as_str(),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": flags}}}});
        for _ in 0..300 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                let made = browser.ask("POST", "", &wanted);
                browser.session = made["sessionId"].as_str()?.to_string();
                return Some(browser);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        None
    }

    fn ask(&self, method: &str, what: &str, body: &Value) -> Value {
        let mut path = String::from("/session");
        if !self.session.is_empty() {
            path += &format!("/{}", self.session);
        }
        if !what.is_empty() {
            path += &format!("/{what}");
        }
        let body = match method {
            "POST" => body.to_string(),
            _ => String::new(),
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        // The driver may leave the connection open behind its answer.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap() == 0 || line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).unwrap();
        let text = &String::from_utf8_lossy(&answer);
        let value: Value = serde_json::from_str(text).unwrap_or(Value::Null);
        value["value"].clone()
    }

    /// Opens a page and waits until its script is done.
    pub fn open(&mut self, page: &Path) {
        let url = format!("file://{}", page.display());
        // Another page first: only the fragment may differ, and then nothing is loaded.
        self.ask("POST", "url", &json!({"url": "about:blank"}));
        self.ask("POST", "url", &json!({ "url": url }));
        assert_eq!(
            self.run("return document.body.dataset.ready"),
            "1",
            "the page's script failed"
        );
    }

    /// Runs a script; its result.
    pub fn run(&self, script: &str) -> Value {
        let answer = self.ask(
            "POST",
            "execute/sync",
            &json!({"script": script, "args": []}),
        );
        assert!(answer.get("error").is_none(), "{script}: {answer}");
        answer
    }

    pub fn number(&self, expression: &str) -> f64 {
        self.run(&format!("return {expression}")).as_f64().unwrap()
    }

    pub fn count(&self, selector: &str) -> usize {
        self.number(&format!("document.querySelectorAll('{selector}').length")) as usize
    }

    /// What is written in an element.
    pub fn text(&self, id: &str) -> String {
        let text = self.run(&format!(
            "return document.getElementById('{id}').textContent"
        ));
        text.as_str().unwrap().to_string()
    }

    pub fn click(&self, id: &str) {
        self.run(&format!("document.getElementById('{id}').click()"));
    }

    /// Presses a key and lets it go.
    pub fn press(&self, key: &str) {
        let code = match key {
            "Home" => "\u{E011}",
            "End" => "\u{E010}",
            "Enter" => "\u{E007}",
            "Escape" => "\u{E00C}",
            other => other,
        };
        let actions = [
            json!({"type": "keyDown", "value": code}),
            json!({"type": "keyUp", "value": code}),
        ];
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.ask("POST", "actions", &json!({ "actions": [keyboard] }));
    }

    /// The colours of a screenshot on a coarse grid, each as `rrggbb`.
    pub fn grid(&self) -> Vec<String> {
        let image = self.ask("GET", "screenshot", &Value::Null);
        let (columns, rows) = GRID;
        let script = format!(
            "const done = arguments[1], i = new Image(); i.onload = () => {{ \
               const c = document.createElement('canvas'); c.width = i.width; c.height = i.height; \
               const x = c.getContext('2d'); x.drawImage(i, 0, 0); const out = []; \
               const w = Math.floor(i.width / {columns}), h = Math.floor(i.height / {rows}); \
               for (let r = 0; r < {rows}; r++) for (let k = 0; k < {columns}; k++) {{ \
                 const d = x.getImageData(k * w, r * h, w, h).data, s = [0, 0, 0]; \
                 for (let p = 0; p < d.length; p += 4) for (let q = 0; q < 3; q++) s[q] += d[p + q]; \
                 out.push(s.map(v => Math.round(v / (w * h)).toString(16).padStart(2, '0')).join('')); }} \
               done(out); }}; i.src = 'data:image/png;base64,' + arguments[0];"
        );
        let answer = self.ask(
            "POST",
            "execute/async",
            &json!({"script": script, "args": [image]}),
        );
        let cells = answer.as_array().unwrap_or_else(|| panic!("{answer}"));
        cells
            .iter()
            .map(|c| c.as_str().unwrap().to_string())
            .collect()
    }

    /// The average brightness of a screenshot, from 0 to 255.
    pub fn brightness(&self) -> f64 {
        let cells = self.grid();
        let of = |c: &String| {
            let n = u32::from_str_radix(c, 16).unwrap();
            ((n & 255) + (n >> 8 & 255) + (n >> 16 & 255)) as f64 / 3.0
        };
        cells.iter().map(of).sum::<f64>() / cells.len() as f64
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.ask("DELETE", "", &Value::Null);
            }));
            drop(ended);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
