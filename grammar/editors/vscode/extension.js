// Starts `pelton lsp` for `.pcirc` files. Highlighting needs none of this: it
// works from the grammar alone, also where the language client is not installed.

const vscode = require("vscode");

let client;

function languageClient() {
  try {
    return require("vscode-languageclient/node").LanguageClient;
  } catch {
    return undefined;
  }
}

async function activate(context) {
  const LanguageClient = languageClient();
  if (!LanguageClient) {
    console.info("pelton: run `npm install` in the extension's folder for messages and formatting");
    return;
  }
  const command = vscode.workspace.getConfiguration("pelton").get("path", "pelton");
  const server = { command, args: ["lsp"] };
  const options = { documentSelector: [{ language: "pcirc" }] };
  client = new LanguageClient("pelton", "Pelton", server, options);
  context.subscriptions.push({ dispose: () => client?.stop() });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showWarningMessage(`pelton: \`${command} lsp\` could not be started: ${error.message}`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
