// Starts `craig lsp` for C files; everything else is the server's.
const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function start() {
  const settings = workspace.getConfiguration('craig');
  const server = { command: settings.get('command'), args: ['lsp', ...settings.get('arguments')] };
  client = new LanguageClient('craig', 'Craig', server, { documentSelector: [{ scheme: 'file', language: 'c' }] });
  return client.start().catch(error => window.showErrorMessage(`Craig: ${error.message}`));
}

exports.activate = context => {
  context.subscriptions.push(commands.registerCommand('craig.restart', async () => {
    if (client) await client.stop();
    await start();
  }));
  return start();
};

exports.deactivate = () => client && client.stop();
