import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { INSTALLED } from '../src/engines/code/servers/installed-servers.ts'

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
}

export async function rawServer(directory: string): Promise<RawServer> {
  const program = INSTALLED.find(({ name }) => name === 'typescript')?.find({})
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
    async callers({ path, line, character }) {
      const uri = uriOf(path)
      if (!open.has(path)) {
        open.add(path)
        const text = readFileSync(join(directory, path), 'utf8')
        const textDocument = { uri, languageId: 'typescript', version: 1, text }
        await connection.sendNotification('textDocument/didOpen', { textDocument })
      }
      const params = { textDocument: { uri }, position: { line, character } }
      const items = await connection.sendRequest<unknown[] | null>('textDocument/prepareCallHierarchy', params)
      let calls = 0
      for (const item of items ?? [])
        calls += (await connection.sendRequest<unknown[] | null>('callHierarchy/incomingCalls', { item }))?.length ?? 0
      return calls
    },
    async [Symbol.asyncDispose]() {
      connection.dispose()
      child.kill()
      await ended
    },
  }
}
