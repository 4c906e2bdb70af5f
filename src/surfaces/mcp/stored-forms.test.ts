import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { sage } from '../../contracts/sage/contract.ts'
import { mcpForm } from '../../kernel/wire-forms.ts'
import { formOf, FORMS_FOLDER, formsOf } from './stored-forms.ts'

it('takes the form of a published tool from the build, and derives any other', () => {
  const build = mkdtempSync(join(tmpdir(), 'toolwright-forms-'))
  try {
    const [tool] = sage.tools
    if (!tool) throw new Error('sage has no tool')
    const built = pathToFileURL(join(build, 'cli', 'mcp.cjs')).href
    mkdirSync(join(build, FORMS_FOLDER))
    const stored = { ...formsOf(sage)[tool.name], title: 'Stored' }
    writeFileSync(join(build, FORMS_FOLDER, 'sage.json'), JSON.stringify({ [tool.name]: stored }))
    expect(formOf(tool, sage, built)).toEqual(JSON.parse(JSON.stringify(stored)))
    // Others may have a schema of their own under the same name.
    expect(formOf(tool, { ...sage }, built)).toEqual(mcpForm(tool, sage))
    expect(formOf({ ...tool }, sage, built)).toEqual(mcpForm(tool, sage))
    const unbuilt = pathToFileURL(join(build, 'src', 'surfaces', 'mcp.ts')).href
    expect(formOf(tool, sage, unbuilt)).toEqual(mcpForm(tool, sage))
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
})
