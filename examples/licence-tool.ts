import { defineTool, reads, writes } from 'toolwright'
import { toolwright } from 'toolwright/contracts'
import { z } from 'zod'

const LINE = '// SPDX-License-Identifier: MIT\n'

export const addLicence = defineTool({
  name: 'add_licence',
  version: '1.0.0',
  description: 'Put the licence line at the top of a source file, unless it is there.',
  input: z.strictObject({ path: z.string().describe('Path relative to the workspace') }),
  output: z.strictObject({ path: z.string(), added: z.boolean() }),
  effects: ['read', 'write'],
  claims: ({ path }) => [...reads(path), ...writes(path)],
  run({ path }, { text }) {
    const { content } = text.read(path)
    if (content.startsWith(LINE)) return { path, added: false }
    text.write(path, LINE + content)
    return { path, added: true }
  },
  examples: [{ input: { path: 'src/main.ts' }, files: { 'src/main.ts': 'export const main = 1\n' } }],
})

/** Our own tool beside those of the contract `toolwright`. */
export const shop = { ...toolwright, id: 'shop', tools: [...toolwright.tools, addLicence] }
