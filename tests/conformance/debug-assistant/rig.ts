import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallOptions } from '../../../src/runtime/call-options.ts'
import type { SessionOptions } from '../../../src/toolkit.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'

export interface Rig extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  call(tool: string, parameters: unknown, options?: CallOptions): Promise<unknown>
}

/** The document gives a call two seconds, which a busy machine may need for anything. */
const PATIENT = { 'debug-assistant/*': 60_000 }

/** A workspace with these files and this configuration, and calls in it as the document makes them. */
export async function rigWith(
  files: Readonly<Record<string, string | Buffer>>,
  config: object = {},
  options: Pick<SessionOptions, 'network'> = {},
): Promise<Rig> {
  const workspace = temporaryWorkspace(files)
  const file = join(workspace.base, 'config.json')
  writeFileSync(file, JSON.stringify({ timeouts: PATIENT, ...config }))
  const kit = await workspace.open({ contract: 'debug-assistant', config: file, ...options })
  return {
    workspace,
    call: (tool, parameters, how) => kit.call(tool, parameters, how),
    [Symbol.asyncDispose]: () => workspace.remove(),
  }
}

/** The whole answer of a call that failed. */
export const failure = (code: string, message: string | object) => ({ success: false, error: { code, message } })
