// oxlint-disable vitest/no-standalone-expect -- `sandboxed` is the `it` that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientSetups } from '../../src/surfaces/mcp/client-setup.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { connect, type Shown } from '../mcp/connect.ts'
import { needs } from '../needs.ts'
import { claudeCode } from './claude-code.ts'
import type { Client } from './client.ts'
import { codex } from './codex.ts'
import { CONTENT, FILE, TASKS } from './tasks.ts'
import { PROJECT } from './world.ts'

const sandboxed = needs('bubblewrap')
const guide = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
const pageOf = ({ page }: Client): string => guide(`clients/${page}.md`)
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '')

/** What our server asks a client that does the tasks, with the calls of each one after another. */
async function questions(): Promise<readonly Shown[]> {
  const asked: Shown[] = []
  await using workspace = temporaryWorkspace({ [FILE]: CONTENT })
  let answer = 'no'
  await using server = await connect(workspace, {
    elicit(question) {
      asked.push(question)
      return { action: 'accept', content: { answer } }
    },
  })
  for (const task of TASKS) {
    answer = task.answer ?? 'no'
    for (const { tool, input } of task.calls) await server.call(tool, input)
    expect(workspace.read(FILE)).toBe(task.leaves)
  }
  return asked
}

describe('the pages about clients', () => {
  sandboxed('show the questions as they are asked', async () => {
    const asked = await questions()
    expect(asked).toHaveLength(
      TASKS.reduce((sum, task) => sum + (task.answer === undefined ? 0 : task.calls.length), 0),
    )
    for (const { message, fields } of asked) {
      const lines = message.split('\n')
      // Claude Code has room for four lines.
      const seen = lines.length > 4 ? [...lines.slice(0, 3), `… (+${lines.length - 3} more lines)`] : lines
      expect(pageOf(claudeCode)).toContain(indented(seen.map(cutAtWidth)))
      expect(withoutSpaces(pageOf(codex))).toContain(withoutSpaces(message))
      const { answer }: { answer?: { description?: string } } = fields
      expect(withoutSpaces(pageOf(codex))).toContain(
        withoutSpaces(`${answer?.description ?? ''}› 1. yes 2. no 3. always`),
      )
    }
  })

  it.each([claudeCode, codex])('show the setup of $name as it is printed and as the guide has it', client => {
    const printed = clientSetups(['toolwright'], PROJECT).filter(setup => setup.client.startsWith(client.name))
    expect(printed.length).toBeGreaterThan(0)
    for (const { text } of printed) {
      expect(pageOf(client)).toContain(`\n${text}\n`)
      expect(withoutSpaces(guide('mcp.md'))).toContain(withoutSpaces(text))
    }
  })
})

/** Claude Code in 100 columns. */
const WIDTH = 94
const cutAtWidth = (line: string): string => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line)

const indented = (lines: readonly string[]): string => lines.map(line => `  ${line}\n`).join('')
