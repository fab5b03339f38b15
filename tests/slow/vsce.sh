#!/bin/sh
# The extension for VS Code packs with vsce from npm, and the package has what VS Code starts.
#
# usage: vsce.sh          (needs npm and the npm registry, unzip, node)
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$here/editors/vscode" "$folder/extension"
cd "$folder/extension"
npm install --silent --no-fund --no-audit
npm run --silent package
package=$(ls ./*.vsix)
mkdir out
(cd out && unzip -q "../$package")
for file in package.json extension.js node_modules/vscode-languageclient/package.json; do
  test -f "out/extension/$file" || { echo "$file is not in $package"; exit 1; }
done
# The script loads; `vscode` itself is a stub that knows nothing.
cat > load.js <<'JS'
const Module = require('module');
const anything = () => new Proxy(function () {}, { get: (_, k) => (k === Symbol.toPrimitive ? () => '' : anything()), apply: anything, construct: anything });
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? anything() : load(name, ...rest));
const extension = require('./out/extension/extension.js');
if (typeof extension.activate !== 'function') throw new Error('no activate');
JS
node load.js
echo "$(basename "$package"): $(wc -c < "$package") bytes, packed and loaded"
