// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect, it } from 'vitest'
import { syntacticCallers } from '../../src/knowledge/code/syntactic/syntactic-callers.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'
import { faultsOf, snippets, weaknessesOf, type Snippet } from './python-calls.ts'

/** Every fifth by default, so that each category has its share. */
const asked = process.env['TOOLWRIGHT_LONG'] ? snippets : snippets.filter((_, at) => at % 5 === 0)

const pathOf = ({ files }: Snippet): string => Object.keys(files)[0] ?? ''

describe('callers in snippets of Python', () => {
  it('are of every category', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(100)
    expect(new Set(snippets.map(({ name }) => name)).size).toBe(snippets.length)
  })

  needs('bubblewrap')('are right, and none is missing without a word, by pyright', { timeout: 300_000 }, async () => {
    await using workspace = temporaryWorkspace(Object.assign({}, ...asked.map(({ files }) => files)))
    await using code = openedCode(workspace)
    const faults: string[] = []
    for (const snippet of asked) {
      const question = { name: snippet.target, path: pathOf(snippet), depth: 1, deadlineMs: 60_000 }
      const answer = await code.engine.callers(question)
      const found = [...faultsOf(snippet, answer), ...weaknessesOf(snippet, answer)]
      faults.push(...found.map(each => `${snippet.name}: ${each}`))
    }
    expect(faults).toEqual([])
  })

  it('are right, and none is missing without a word, by the text', { timeout: 300_000 }, async () => {
    await using workspace = temporaryWorkspace(Object.assign({}, ...asked.map(({ files }) => files)))
    const root = openRoot(workspace.path)
    const parts = { root, staging: createStaging(), mayRead: () => true }
    const faults: string[] = []
    for (const snippet of asked) {
      const question = { name: snippet.target, depth: 1, deadlineMs: 60_000 }
      const answer = await syntacticCallers(parts, pathOf(snippet), question)
      faults.push(...faultsOf(snippet, answer).map(each => `${snippet.name}: ${each}`))
    }
    root.close()
    expect(faults).toEqual([])
  })
})
