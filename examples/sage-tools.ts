import { createEditTool, createReadTool, defineTool, ToolRegistry, type ToolContext } from 'toolwright/contracts'
import { temporaryWorkspace } from 'toolwright/testing'
import { z } from 'zod'

await using workspace = temporaryWorkspace({ 'src/main.ts': 'export const main = 1\n' })

const registry = new ToolRegistry()
registry.register(createReadTool())
registry.register(createEditTool())
registry.register(
  defineTool({
    name: 'Shout',
    description: 'Say it louder.',
    parameters: z.object({ text: z.string() }),
    implementation: async ({ text }) => ({ text: text.toUpperCase() }),
  }),
)
console.log(registry.getToolSchemas().map(({ name, version }) => `${name} ${version}`))

// Without permissions a context grants reading alone.
const ctx: ToolContext = { cwd: workspace.path, permissions: ['fs:read', 'fs:write:src/**'] }
const patch = '@@ -1 +1 @@\n-export const main = 1\n+export const main = 2\n'
console.log(await registry.get('Edit').execute({ file: 'src/main.ts', patch }, { ...ctx, dryRun: true }))
console.log(await registry.get('Edit').execute({ file: 'src/main.ts', patch }, { cwd: workspace.path }))
console.log((await registry.get('Edit').execute({ file: 'src/main.ts', patch }, ctx)).data)
console.log((await registry.get('Read').execute({ file: 'src/main.ts' }, ctx)).data)
console.log((await registry.get('Shout').execute({ text: 'done' }, ctx)).data)
