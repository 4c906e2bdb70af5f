import { streamText } from 'ai'
import { expect, it } from 'vitest'
import { openModel } from '../../src/agent/models/open-model.ts'
import { promptOnly } from '../../src/agent/models/prompt-only.ts'
import { playedModel, recordingModel, type RecordedAnswer } from '../../src/agent/recorded-model.ts'
import { startFakeModel } from '../clients/fake-model.ts'
import { modelAt } from './rig.ts'

/** Reads a streamed answer as the AI SDK does, which checks the parts of a stream. */
const textOf = (model: Parameters<typeof streamText>[0]['model']): PromiseLike<string> =>
  streamText({ model, prompt: 'Say it.', maxRetries: 0 }).text

it('models of a run are models of the AI SDK, wrapped or not', async () => {
  await using fake = await startFakeModel({ 'Say it.': ['Said.'] })
  const model = await openModel(modelAt(fake.url), {})
  expect(await textOf(model)).toBe('Said.')
  expect(await textOf(promptOnly(model))).toBe('Said.')
  const answers: RecordedAnswer[] = []
  expect(await textOf(recordingModel(model, answer => answers.push(answer)))).toBe('Said.')
  expect(await textOf(playedModel(answers, () => {}))).toBe('Said.')
})
