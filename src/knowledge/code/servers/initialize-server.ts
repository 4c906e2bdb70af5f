import type * as lsp from 'vscode-languageserver-protocol'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import type { Tree } from '../../tree/tree.ts'
import { openConnection, type Connection } from './connection.ts'
import { deadlineIn } from './deadline.ts'
import type { ServerDefinition } from '../../../languages/server-definition.ts'
import type { FileCommands } from './file-commands.ts'
import { ANSWERS, CAPABILITIES } from './lsp-schemas.ts'
import type { ServerUris } from './server-uris.ts'

export interface InitializeParts {
  readonly definition: ServerDefinition
  readonly started: Started
  readonly tree: Tree
  readonly root: string
  readonly places: ServerUris
  readonly initializeMs: number
  readonly floodBytes: number
}

interface Greeted {
  readonly connection: Connection
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** Opens the connection to a started server and initializes it; ends one that does not answer. */
export async function initializeServer(
  parts: InitializeParts,
  commands: FileCommands,
  isServed: (path: string) => boolean,
): Promise<Greeted> {
  const { definition, tree, places } = parts
  const folder = { uri: places.uriOf('').replace(/\/$/, ''), name: 'workspace' }
  const { settings = {} } = definition
  const connection = await openConnection(parts.started, {
    name: definition.name,
    settings,
    folder,
    floodBytes: parts.floodBytes,
    begins: definition.begins,
    oneAtATime: definition.oneAtATime ?? [],
  })
  try {
    const { capabilities } = await connection.request(
      'initialize',
      {
        processId: null,
        rootPath: parts.root,
        rootUri: folder.uri,
        workspaceFolders: [folder],
        capabilities: CAPABILITIES,
        initializationOptions:
          commands.initial([...tree.files().keys()].filter(isServed)) ?? definition.initializationOptions ?? {},
      } satisfies lsp.InitializeParams,
      ANSWERS.initialize,
      deadlineIn(parts.initializeMs),
    )
    connection.notify('initialized', {})
    return { connection, capabilities }
  } catch (error) {
    connection.end(`did not answer within ${parts.initializeMs / 1000} s of its start`)
    throw error
  }
}
