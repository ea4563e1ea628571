//! Reads the definition files of the registry as JSON values.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// The folders of our registry: our names, OpenTelemetry's, and those of a serving system.
pub(crate) const FOLDERS: [&str; 3] = ["kina", "otel", "tl"];

/// Every definition file of our registry, sorted.
#[allow(dead_code)] // Not every test file reads them all.
pub(crate) fn definition_files() -> Vec<PathBuf> {
    FOLDERS.iter().flat_map(|folder| files_in(folder)).collect()
}

/// The definition files in one folder, sorted.
pub(crate) fn files_in(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("registry").join(folder);
    let entries = fs::read_dir(folder).expect("a folder of the registry");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.file_name().is_some_and(|name| name != "manifest.yaml"));
    files.sort();
    files
}

/// The document in a file.
pub(crate) fn document(file: &Path) -> Value {
    let text = fs::read_to_string(file).expect("the file is read");
    let documents = YamlLoader::load_from_str(&text).expect("the file is YAML");
    assert_eq!(documents.len(), 1, "{}", file.display());
    json(&documents[0])
}

fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Real(_) => Value::from(yaml.as_f64()),
        Yaml::Boolean(truth) => Value::from(*truth),
        Yaml::Array(items) => items.iter().map(json).collect(),
        Yaml::Hash(entries) => {
            let entry = |(key, value): (&Yaml, &Yaml)| (key.as_str().expect("a text as key").to_owned(), json(value));
            Value::Object(entries.iter().map(entry).collect::<Map<_, _>>())
        }
        Yaml::Null => Value::Null,
        Yaml::Alias(_) | Yaml::BadValue => panic!("not a value of ours: {yaml:?}"),
    }
}
