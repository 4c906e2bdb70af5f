import type { EditQuestion, EffectsWork } from '../code/effects/types.ts'
import type { ResidentPart } from './part.ts'
import type { ServerWishes } from './server-words.ts'

export interface JudgeQuestion {
  readonly question: EditQuestion
  readonly wishes: ServerWishes
}

/** What changes break, as the process judges it by the servers that it holds; null where nobody can say. */
export const effectsAnswers = (workFor: (wishes: ServerWishes) => EffectsWork): ResidentPart['answers'] => ({
  async 'effects.judge'({ params, signal }) {
    const { question, wishes }: JudgeQuestion = Object(params)
    return (await workFor(wishes).judge(question, signal)) ?? null
  },
})
