import type { EditQuestion, EffectsWork } from '../code/effects/types.ts'
import type { ResidentPart } from './part.ts'
import type { ServerOptions } from './server-protocol.ts'

export interface JudgeQuestion {
  readonly question: EditQuestion
  readonly wishes: ServerOptions
}

/** What changes break, judged by the process with the servers it holds; null if unknown. */
export const effectsAnswers = (workFor: (wishes: ServerOptions) => EffectsWork): ResidentPart['answers'] => ({
  async 'effects.judge'({ params, signal }) {
    const { question, wishes }: JudgeQuestion = Object(params)
    return (await workFor(wishes).judge(question, signal)) ?? null
  },
})
