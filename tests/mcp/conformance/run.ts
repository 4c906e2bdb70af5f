import { parseArgs } from 'node:util'
import { REQUIREMENTS, runSuite } from './run-suite.ts'

/** `npm run conformance -- mcp [--requirements V]`: the public suite of the Model Context Protocol on our server. */
const { values } = parseArgs({ options: { requirements: { type: 'string' } } })
const chosen = REQUIREMENTS.filter(one => values.requirements === undefined || values.requirements === one)
if (chosen.length === 0) {
  console.error(`--requirements takes ${REQUIREMENTS.join(' or ')}`)
  process.exitCode = 2
}
for (const requirements of chosen) {
  const { code, output, passed, failed } = await runSuite(requirements)
  console.log(output.slice(output.indexOf('=== SUMMARY ===')).trim())
  console.log(`\n${requirements}: ${passed.length} of ${passed.length + failed.length} scored scenarios pass\n`)
  if (code !== 0 || failed.length > 0) process.exitCode = 1
}
