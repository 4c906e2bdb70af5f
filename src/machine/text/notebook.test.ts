import { describe, expect, it } from 'vitest'
import { PIXEL } from '../../../tests/text/images.ts'
import { notebookCells } from './notebook.ts'

const notebook = (cells: readonly object[], more: object = {}): string =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: 'python' } }, cells, ...more })

const code = (outputs: readonly object[]): string =>
  notebookCells(notebook([{ cell_type: 'code', source: ['a = 1\n', 'a\n'], outputs }]))?.[0] ?? ''

describe('notebookCells', () => {
  it('gives each cell under its number and kind', () => {
    const cells = [
      { cell_type: 'markdown', source: '# Title' },
      { cell_type: 'code', source: ['x = 1\n', 'x'], outputs: [] },
    ]
    expect(notebookCells(notebook(cells))).toEqual([
      '--- cell 1 of 2: markdown ---\n# Title',
      '--- cell 2 of 2: code, python ---\nx = 1\nx',
    ])
  })

  it('gives what a cell printed, without colours', () => {
    expect(code([{ output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] }])).toMatch(
      /a\n--- output ---\none\ntwo$/,
    )
    expect(code([{ output_type: 'execute_result', data: { 'text/plain': '1', 'text/html': '<b>1</b>' } }])).toMatch(
      /--- output ---\n1$/,
    )
    const error = {
      output_type: 'error',
      ename: 'NameError',
      evalue: 'a',
      traceback: ['\u001b[31mNameError\u001b[0m: a'],
    }
    expect(code([error])).toMatch(/--- output ---\nNameError: a$/)
    expect(code([{ ...error, traceback: [] }])).toMatch(/--- output ---\nNameError: a$/)
  })

  it('describes images and what has no text', () => {
    const data = { 'image/png': PIXEL.toString('base64'), 'text/plain': '<Figure>' }
    expect(code([{ output_type: 'display_data', data }])).toMatch(
      new RegExp(`<Figure>\\n\\[image/png, 1 × 1, ${PIXEL.length} bytes\\]$`),
    )
    expect(code([{ output_type: 'display_data', data: { 'application/json': '{}' } }])).toMatch(
      /\[application\/json, 2 characters\]$/,
    )
  })

  it('cuts long outputs', () => {
    expect(code([{ output_type: 'stream', text: 'x'.repeat(5000) }])).toMatch(/x{4000}\n… 1000 more characters$/)
  })

  it.each([
    ['no JSON', '{'],
    ['another version', notebook([], { nbformat: 3 })],
    ['no cells', '{"nbformat":4}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('is undefined for %s', (_, text) => {
    expect(notebookCells(text)).toBeUndefined()
  })

  it('bears cells that make no sense', () => {
    const cells = [null, 1, { cell_type: 3, source: [{}, 'a'] }, { cell_type: 'code', outputs: [null, { data: 4 }] }]
    expect(notebookCells(`{"nbformat":4,"cells":${JSON.stringify(cells)}}`)).toHaveLength(4)
  })
})
