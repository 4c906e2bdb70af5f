import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contracts } from '../scripts/docs/contracts.ts'

/** A paragraph or list item that is longer is a table, a list or two paragraphs; a cell that is longer is a paragraph. */
const MOST_WORDS = { paragraph: 80, cell: 60 }

const root = dirname(import.meta.dirname)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'bench/*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })
  .map(path => path.replaceAll('\\', '/'))
  // Generated from the contracts, and a record of what happened.
  .filter(path => !path.startsWith('docs/reference/') && path !== 'CHANGELOG.md')
  .toSorted()

describe('hand-written pages', () => {
  it('are found', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/code.md', 'docs/clients/codex.md']))
  })

  it.each(pages)('%s has no paragraph over 80 words, and no cell over 60', page => {
    expect(tooLong(read(page))).toEqual([])
  })

  it('README.md has at most 100 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(100)
  })

  it('docs/README.md says whom each contract is for', () => {
    const section = read('docs/README.md').split('\n## Contracts\n')[1] ?? ''
    const listed = [...section.matchAll(/^\| \[`([\w-]+)`\]\(reference\/\1\.md\) +\| \w.*\|$/gm)].map(([, id]) => id)
    expect(listed.toSorted()).toEqual(contracts.map(({ id }) => id).toSorted())
  })
})

describe('the count', () => {
  const words = (count: number): string => 'word '.repeat(count).trimEnd()

  it.each([
    ['a paragraph', words(81)],
    ['a paragraph over several lines', `${words(41)}\n${words(40)}`],
    ['a list item', `- short\n- ${words(81)}\n- short`],
    ['a list item that goes on', `1. ${words(41)}\n   ${words(40)}`],
    ['a cell', `| short | ${words(61)} |`],
    ['the text after a generated part', `<!-- generated:a -->\n\nshort\n\n<!-- /generated -->\n\n${words(81)}`],
  ])('finds %s', (_, text) => {
    expect(tooLong(text)).toHaveLength(1)
  })

  it.each([
    ['80 words', words(80)],
    ['two paragraphs', `${words(80)}\n\n${words(80)}`],
    ['list items', `${words(80)}\n- ${words(79)}\n- ${words(79)}`],
    ['a row of short cells', `| ${words(60)} | ${words(60)} |`],
    ['code', `\`\`\`sh\n${words(200)}\n\`\`\``],
    ['a generated part', `<!-- generated:a -->\n\n${words(200)}\n\n<!-- /generated -->`],
  ])('leaves %s alone', (_, text) => {
    expect(tooLong(text)).toEqual([])
  })
})

/** Paragraphs, list items and table cells with more words than they may have, each with its beginning. */
function tooLong(page: string): readonly string[] {
  return handWritten(page)
    .split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) |\||#)/)
    .flatMap(block => (block.startsWith('|') ? cellsOf(block) : [{ text: block, most: MOST_WORDS.paragraph }]))
    .map(({ text, most }) => ({ words: text.split(/\s+/).filter(Boolean), most }))
    .filter(({ words, most }) => words.length > most)
    .map(({ words }) => `${words.length} words: ${words.slice(0, 12).join(' ')} …`)
}

const cellsOf = (row: string) => row.split(/(?<!\\)\|/).map(text => ({ text, most: MOST_WORDS.cell }))

/** The page without code blocks and without what is generated. */
const handWritten = (page: string): string =>
  page
    .replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated -->/g, '\n\n')
    .replaceAll(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2$/gm, '\n\n')
