import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkContract, fakePerson, temporaryWorkspace } from 'toolwright/testing'
import { addLicence, shop } from './licence-tool.ts'

// The scenarios that every tool must pass; node:test here, any other runner's `describe` and `it` will do.
checkContract({ ...shop, tools: [addLicence] }, { describe, it })

// What is special about a tool is tested in a workspace of its own.
describe('add_licence', () => {
  it('asks, and adds the line once', async () => {
    await using workspace = temporaryWorkspace({ 'src/main.ts': 'export const main = 1\n' })
    const person = fakePerson('yes')
    const kit = await workspace.open({ contract: shop, approve: person })
    await kit.run('add_licence', { path: 'src/main.ts' })
    await kit.run('add_licence', { path: 'src/main.ts' })
    assert.equal(workspace.read('src/main.ts').match(/SPDX/g)?.length, 1)
    assert.match(person.asked[0]?.diffs[0] ?? '', /\+\/\/ SPDX/)
  })
})
