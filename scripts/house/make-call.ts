import { openToolkit, type Toolkit } from '../../src/index.ts'

/** Run as a process of its own in a workspace, with a tool and its input as JSON: makes one call through the library. */
const [tool = '', input = '{}'] = process.argv.slice(2)
const kit: Toolkit = await openToolkit({ permissions: ['exec', 'fs:write'] })
const { outcome } = await kit.run(tool, JSON.parse(input))
await kit.close()
if (!outcome.ok) throw outcome.error
