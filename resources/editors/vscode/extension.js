// SPDX-License-Identifier: Apache-2.0
// Starts `gridloom lsp` for hardware, kernels and directives.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("gridloom").get("command");
  const documentSelector = ["hw", "rec", "sched"].map((name) => ({ language: `gridloom-${name}` }));
  client = new LanguageClient("gridloom", { command, args: ["lsp"] }, { documentSelector });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
