import { afterEach, beforeEach, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import type { ToolkitOptions } from '../../../src/toolkit.ts'

export type Options = Omit<ToolkitOptions, 'root' | 'env' | 'contract'>

/** Stands for the time that a call took. */
export const TIME = 5

/** A workspace for each test of a file, and the tools of the contract called in it, everything being permitted. */
export function useAgent(files: Readonly<Record<string, string | Buffer>> = {}) {
  let workspace: TemporaryWorkspace
  beforeEach(() => {
    workspace = temporaryWorkspace(files)
  })
  afterEach(() => workspace.remove())
  const open = (options: Options = {}) =>
    workspace.open({ permissions: ['fs:read', 'fs:write', 'net'], ...options, contract: 'cli-agent' })
  return {
    get workspace() {
      return workspace
    },
    open,
    /** The answer as it is printed, with its time replaced. */
    async call(tool: string, input: unknown, options: Options = {}) {
      const kit = await open(options)
      return timeless(await kit.call(tool, input))
    },
    /** Makes a call that must fail and must leave everything as it was. */
    async fails(tool: string, input: unknown, options: Options = {}) {
      const before = workspace.snapshot()
      const answer = await this.call(tool, input, options)
      expect(workspace.snapshot()).toEqual(before)
      expect(answer).toMatchObject({ success: false })
      return answer
    },
  }
}

/** An answer with its time checked and replaced, so that it can be compared as a whole. */
export function timeless(answer: unknown): unknown {
  const { execution_time_ms: time } = Object(answer)
  expect(time).toSatisfy((ms: unknown) => Number.isInteger(ms) && Number(ms) >= 0)
  return { ...Object(answer), execution_time_ms: TIME }
}

/** The whole answer of a call that failed; `message` is what the error object says where it words it at more length. */
export const failure = (code: string, printed: string, suggestion: string | RegExp = /\w/, message = printed) => ({
  success: false,
  output: `Error: ${printed}`,
  files_affected: [],
  execution_time_ms: TIME,
  error: {
    code,
    message,
    suggestion: typeof suggestion === 'string' ? suggestion : expect.stringMatching(suggestion),
  },
})

/** The whole answer of a call that succeeded. */
export const success = (output: unknown, files: readonly string[] = [], metadata?: object) => ({
  success: true,
  output,
  files_affected: files,
  execution_time_ms: TIME,
  ...(metadata && { metadata }),
})

/** Ways to spell a place outside of the workspace. */
export const OUTSIDE = ['../etc/passwd', '/etc/passwd', 'src/../../etc/passwd', '..']
