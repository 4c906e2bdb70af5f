import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { LANGUAGE_SERVERS } from '../src/knowledge/code/servers/known-servers.ts'
import type { Range } from '../src/knowledge/code/servers/lsp-schemas.ts'

/** A function of a package: its name and where that is written, counted from 0. */
export interface Target {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly character: number
}

/** The TypeScript server as any editor drives it: no sandbox, no rules, nothing of ours. */
export interface RawServer extends AsyncDisposable {
  /** How many call the function directly. */
  callers(target: Target): Promise<number>
  /** Where the function is called; undefined if the server sees none of that name there. */
  incoming(target: Target): Promise<readonly CalledAt[] | undefined>
}

export interface CalledAt {
  readonly path: string
  readonly range: Range
}

interface CallItem {
  readonly name: string
  readonly uri: string
}

interface IncomingCall {
  readonly from: CallItem
  readonly fromRanges: readonly Range[]
}

export async function rawServer(directory: string): Promise<RawServer> {
  const program = LANGUAGE_SERVERS.find(({ name }) => name === 'typescript')?.find({})
  if (!program) throw new Error('The TypeScript server is not installed')
  const [command = '', ...args] = program.argv
  const child = spawn(command, args, { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.onRequest(() => null)
  connection.onUnhandledNotification(() => {})
  connection.listen()
  const uriOf = (path: string) => pathToFileURL(join(directory, path)).href
  const rootUri = pathToFileURL(directory).href
  const workspaceFolders = [{ uri: rootUri, name: 'workspace' }]
  await connection.sendRequest('initialize', { processId: null, rootUri, workspaceFolders, capabilities: {} })
  await connection.sendNotification('initialized', {})
  const open = new Set<string>()
  return {
    callers: async target => (await callsOf(await itemsAt(target))).length,
    async incoming(target) {
      const items = await itemsAt(target)
      const own = items.filter(({ uri, name }) => uri === uriOf(target.path) && name === target.name)
      if (own.length === 0) return undefined
      const calls = await callsOf(own)
      return calls.flatMap(({ from, fromRanges }) =>
        fromRanges.map(range => ({ path: relative(directory, fileURLToPath(from.uri)), range })),
      )
    },
    async [Symbol.asyncDispose]() {
      connection.dispose()
      child.kill()
      await ended
    },
  }

  async function itemsAt({ path, line, character }: Target): Promise<readonly CallItem[]> {
    const uri = uriOf(path)
    if (!open.has(path)) {
      open.add(path)
      const text = readFileSync(join(directory, path), 'utf8')
      const textDocument = { uri, languageId: 'typescript', version: 1, text }
      await connection.sendNotification('textDocument/didOpen', { textDocument })
    }
    const params = { textDocument: { uri }, position: { line, character } }
    return (await connection.sendRequest<CallItem[] | null>('textDocument/prepareCallHierarchy', params)) ?? []
  }

  async function callsOf(items: readonly CallItem[]): Promise<readonly IncomingCall[]> {
    const calls: IncomingCall[] = []
    for (const item of items)
      calls.push(
        ...((await connection.sendRequest<IncomingCall[] | null>('callHierarchy/incomingCalls', { item })) ?? []),
      )
    return calls
  }
}
