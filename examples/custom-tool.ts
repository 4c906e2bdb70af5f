import { temporaryWorkspace } from 'toolwright/testing'
import { shop } from './licence-tool.ts'

await using workspace = temporaryWorkspace({ 'src/main.ts': 'export const main = 1\n' })
const kit = await workspace.open({ contract: shop, permissions: ['fs:write:src/**'] })

// The dry run, the diff, the policy, the commit and the undo come from the pipeline, not from the tool.
const dry = await kit.run('add_licence', { path: 'src/main.ts' }, { dryRun: true })
console.log(dry.outcome.meta.diff)
console.log(await kit.call('add_licence', { path: 'src/main.ts' }))
console.log(await kit.call('add_licence', { path: '../elsewhere.ts' }))
