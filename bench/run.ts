import type { Bench } from './bench.ts'
import { machineFacts } from './machine.ts'
import { printed } from './print.ts'

/** Each measurement is loaded when it is asked for, so that none of them warms up another. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  agent: async () => (await import('./agent.ts')).agent,
  calls: async () => (await import('./calls.ts')).calls,
  pipeline: async () => (await import('./pipeline.ts')).pipeline,
  commit: async () => (await import('./commit.ts')).commit,
  start: async () => (await import('./start.ts')).start,
  journal: async () => (await import('./journal.ts')).journal,
  redact: async () => (await import('./redact.ts')).redact,
  ranges: async () => (await import('./ranges.ts')).ranges,
  spawn: async () => (await import('./spawn.ts')).spawn,
  exports: async () => (await import('./exports.ts')).exports,
  'graph-accuracy': async () => (await import('./graph-accuracy.ts')).graphAccuracy,
  index: async () => (await import('./index.ts')).index,
  search: async () => (await import('./search.ts')).search,
  growth: async () => (await import('./growth.ts')).growth,
  'memory-use': async () => (await import('./memory-use.ts')).memoryUse,
  code: async () => (await import('./code.ts')).code,
  mcp: async () => (await import('./mcp.ts')).mcp,
  http: async () => (await import('./http.ts')).http,
  memory: async () => (await import('./memory.ts')).memory,
  tokens: async () => (await import('./tokens.ts')).tokens,
}

const args = process.argv.slice(2)
const json = args.includes('--json')
const names = args.filter(arg => arg !== '--json')
const unknown = names.filter(name => !(name in BENCHES))
if (names.length === 0) await list()
else if (unknown.length > 0) {
  console.error(`There is no bench '${unknown.join(', ')}'. One of: ${Object.keys(BENCHES).join(', ')}`)
  process.exitCode = 2
} else for (const name of names) await measure(name)

async function list(): Promise<void> {
  console.log('npm run bench -- NAME… [--json]\n')
  for (const [name, load] of Object.entries(BENCHES)) console.log(`  ${name.padEnd(14)} ${(await load()).about}`)
}

/** A missed goal is an exit code, so that a script can tell. */
async function measure(name: string): Promise<void> {
  const bench = await BENCHES[name]?.()
  if (!bench) return
  const machine = machineFacts()
  const report = await bench.run()
  console.log(json ? JSON.stringify({ bench: name, machine, ...report }) : `${printed(name, report, machine)}\n`)
  if (report.goals.some(goal => !goal.met)) process.exitCode = 1
}
