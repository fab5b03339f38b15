//! The events of a run as JSON lines (`--log`), one object a line: `{"event": NAME, …fields}`. A field that
//! an event has several times becomes a list.

use engine::log::{Event, Field};
use serde_json::{Map, Value as Json};

/// All events, in order.
pub(super) fn lines(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        let mut object = Map::new();
        object.insert("event".into(), event.name.into());
        for (name, field) in &event.fields {
            let value = json(field);
            match object.get_mut(*name) {
                None => {
                    let several = event.fields.iter().filter(|(n, _)| n == name).count() > 1;
                    let value = if several {
                        Json::Array(vec![value])
                    } else {
                        value
                    };
                    object.insert((*name).into(), value);
                }
                Some(Json::Array(list)) => list.push(value),
                Some(_) => unreachable!("a field that comes again is a list"),
            }
        }
        out.push_str(&Json::Object(object).to_string());
        out.push('\n');
    }
    out
}

fn json(field: &Field) -> Json {
    match field {
        Field::Number(n) => (*n).into(),
        Field::Flag(flag) => (*flag).into(),
        Field::Text(text) => text.as_str().into(),
        Field::List(list) => list.iter().map(json).collect(),
    }
}
