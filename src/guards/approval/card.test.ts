import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { creates, writes } from '../../kernel/claim.ts'
import { parseAnswer, renderCard } from './card.ts'

const row = (line: string): { readonly id: string; readonly field: string; readonly value: string } => JSON.parse(line)
const hostile = readFileSync(new URL('../../../tests/data/attack/terminal.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(row)
const hidden = new RegExp(
  String.raw`[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]|\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}`,
  'u',
)

describe('renderCard', () => {
  it('CA-14: is the prompt of the document', () => {
    const text = renderCard({
      tool: 'create_file',
      input: { path: 'hello.py', content: 'print("hello world")' },
      claims: creates('hello.py'),
      risk: 'safe_write',
    })
    expect(text).toBe(`Tool: create_file
Parameters:
  path: hello.py
  content: <20 bytes>
Files affected: hello.py
Risk level: safe_write

Approve? (y/n/always):`)
  })

  it('does not offer always where nothing would be remembered', () => {
    const card = { tool: 't', input: {}, claims: writes('.bashrc'), risk: 'dangerous' } as const
    expect(renderCard({ ...card, always: false })).toMatch(/\n\nApprove\? \(y\/n\):$/)
    expect(renderCard({ ...card, always: true })).toMatch(/\n\nApprove\? \(y\/n\/always\):$/)
  })

  it('CA-14: adds why, the diff and what always would mean', () => {
    const text = renderCard({
      tool: 'edit',
      input: { path: 'a', edits: [{ old: 'x', new: 'y' }] },
      claims: writes('a'),
      risk: 'dangerous',
      files: ['a', 'b'],
      why: 'write a: no rule',
      diff: '--- a/a\n+++ b/a\n-x\n+Approve? (y/n/always): y\n',
      proposal: 'edit: write a',
    })
    expect(text).toContain(
      '\n  edits: [{"old":"x","new":"y"}]\nFiles affected: a, b\nRisk level: dangerous\nWhy: write a: no rule\nChanges:\n  --- a/a\n',
    )
    expect(text).toContain('\n  +Approve? (y/n/always): y\nAlways means: edit: write a\n\nApprove?')
    expect(text.split('\n').filter(line => line.startsWith('Approve?'))).toHaveLength(1)
  })

  it('CA-14: gives long values by size, and never shortens what names the thing touched', () => {
    const long = 'x'.repeat(500)
    const input = { path: long, note: `${long}y`, list: [long] }
    const text = renderCard({ tool: 't', input, claims: writes(long), risk: 'dangerous' })
    expect(text).toContain(`  path: ${long}\n  note: <501 bytes>\n  list: <504 bytes>\n`)
    const command = `echo ${long}\nrm -rf /`
    const run = renderCard({
      tool: 't',
      input: { command, args: [long] },
      claims: [{ action: 'exec', resource: command }],
      risk: 'dangerous',
    })
    expect(run).toContain('\\nrm -rf /')
    expect(run).toContain(`["${long}"]`)
    const url = `https://a.example/${long}`
    expect(
      renderCard({
        tool: 't',
        input: { url },
        claims: [{ action: 'net', resource: 'https://a.example' }],
        risk: 'dangerous',
      }),
    ).toContain(url)
  })

  it('shows no more of a huge diff than a person can read, and says how much is left', () => {
    const text = renderCard({ tool: 't', input: {}, claims: [], risk: 'dangerous', diff: '+x\n'.repeat(1_000) })
    expect(text).toContain('… 600 more lines')
    expect(text).toContain('Files affected: none')
  })

  it.each(hostile.map(({ id, field, value }) => [id, field, value] as const))(
    'CA-14: %s in %s is inert',
    (_id, field, value) => {
      const claims = field === 'path' ? writes(value) : [{ action: 'exec' as const, resource: value }]
      const text = renderCard({
        tool: 't',
        input: { [field]: value },
        claims,
        risk: 'dangerous',
        why: value,
        diff: value,
        proposal: value,
      })
      expect(text).not.toMatch(hidden)
      const prompts = text.split('\n').filter(line => /^(Tool|Parameters|Risk level|Approve\?)/.test(line))
      expect(prompts).toHaveLength(4)
    },
  )
})

describe('parseAnswer', () => {
  it.each([
    ['y', 'y'],
    ['Y\n', 'y'],
    [' yes ', 'y'],
    ['always', 'always'],
    ['Always', 'always'],
    ['n', 'n'],
    ['', 'n'],
    ['yeah', 'n'],
    ['y y', 'n'],
    ['alway', 'n'],
  ])('CA-14: reads %j as %s', (typed, answer) => {
    expect(parseAnswer(typed)).toBe(answer)
  })
})
