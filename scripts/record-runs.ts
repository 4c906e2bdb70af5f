import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openRecording, openToolkit, runAgent } from '../src/index.ts'
import { startFakeModel } from '../tests/clients/fake-model.ts'
import { RUNS, type RecordedTask } from './recorded-tasks.ts'
import { at } from './root.mjs'

/** Records the runs of examples/runs again: after a tool changed, their recordings differ from it. */
for (const task of RUNS) await record(task)

async function record({ name, prompt, steps, options }: RecordedTask): Promise<void> {
  // A place without a name of this machine, because a recording names it.
  const base = join('/tmp', 'toolwright-example')
  const [root, file] = [join(base, name), at('examples', 'runs', name, 'run.jsonl')]
  rmSync(base, { recursive: true, force: true })
  cpSync(at('examples', 'runs', name, 'workspace'), root, { recursive: true })
  mkdirSync(join(base, 'home'))
  rmSync(file, { force: true })
  await using model = await startFakeModel({ [prompt]: steps })
  const env = { PATH: process.env['PATH'], HOME: join(base, 'home') }
  const kit = await openToolkit({ root, env, effects: 'off' })
  const recording = openRecording(file)
  try {
    const { permissions, ...more } = options
    const result = await runAgent(kit, prompt, {
      model: 'openai-compatible/scripted',
      baseUrl: `${model.url}/v1`,
      env: {},
      session: { permissions, record: recording.recorder },
      ...more,
    })
    console.log(`${name}: ${result.status}, ${result.usage.turns} turns, ${result.changed.length} files`)
  } finally {
    recording.close()
    await kit.close()
    rmSync(base, { recursive: true, force: true })
  }
}
