import type { Step } from '../tests/clients/script.ts'

/** A small task of examples/runs: what is asked, and what the scripted model does about it. */
export interface RecordedTask {
  readonly name: string
  readonly prompt: string
  readonly steps: readonly Step[]
  readonly options: {
    readonly permissions: readonly string[]
    readonly outputSchema?: Readonly<Record<string, unknown>>
  }
}

const read = (path: string) => ({ tool: 'read', input: { path } })
const edit = (path: string, old: string, text: string) => ({
  tool: 'edit',
  input: { path, edits: [{ old, new: text }] },
})

export const RUNS: readonly RecordedTask[] = [
  {
    name: 'fix-rounding',
    prompt: 'Round the totals of src/cart.js to cents.',
    steps: [
      { text: 'I look where totals are made.', calls: [{ tool: 'grep', input: { pattern: 'total', path: 'src' } }] },
      [read('src/cart.js')],
      [
        edit(
          'src/cart.js',
          'return items.reduce((sum, item) => sum + item.price * item.count, 0)',
          'return Math.round(items.reduce((sum, item) => sum + item.price * item.count, 0) * 100) / 100',
        ),
      ],
      'Totals are rounded to cents now.',
    ],
    options: { permissions: ['fs:write:src/**'] },
  },
  {
    name: 'rename-option',
    prompt: 'Rename the option colour to color, in code and in the manual.',
    steps: [
      [{ tool: 'grep', input: { pattern: 'colour' } }],
      [read('src/paint.js'), read('MANUAL.md')],
      [edit('src/paint.js', 'colour', 'color'), edit('MANUAL.md', 'colour', 'color')],
      [{ tool: 'grep', input: { pattern: 'colour' } }],
      'The option is called color now, in both files.',
    ],
    options: { permissions: ['fs:write'] },
  },
  {
    name: 'count-todos',
    prompt: 'Count the TODO comments of each file.',
    steps: [
      [{ tool: 'grep', input: { pattern: 'TODO' } }],
      'There are {"a.js": 2, "b.js": "one"}.',
      'Sorry:\n```json\n{"a.js": 2, "b.js": 1}\n```',
    ],
    options: {
      permissions: [],
      outputSchema: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  },
  {
    name: 'refused-place',
    prompt: 'Write a note about the release.',
    steps: [
      [{ tool: 'write', input: { path: 'RELEASE.md', content: '# Release\n', expect: 'absent' } }],
      {
        text: 'That place needs an approval that no one can give here, so I use notes/.',
        calls: [{ tool: 'write', input: { path: 'notes/release.md', content: '# Release\n', expect: 'absent' } }],
      },
      'The note is in notes/release.md.',
    ],
    options: { permissions: ['fs:write:notes/**'] },
  },
  {
    name: 'busy-service',
    prompt: 'What does the readme promise?',
    steps: [
      { calls: [read('README.md')], failures: [{ status: 503, headers: { 'retry-after-ms': '1' } }] },
      { calls: [{ tool: 'read', raw: '{"path": "README' }] },
      { text: 'It promises that prices are ', stop: 'length' },
      'never shown without tax.',
    ],
    options: { permissions: [] },
  },
]
