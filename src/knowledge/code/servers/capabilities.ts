/** What we say to a server that we can do. */
export const CAPABILITIES = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    synchronization: {},
    references: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    diagnostic: { dynamicRegistration: false },
  },
  window: { workDoneProgress: true },
  general: { positionEncodings: ['utf-16'] },
} as const
