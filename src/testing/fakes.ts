import type { SecretProvider } from '../kernel/secret.ts'
import type { Answer, Answerer, Question } from '../runtime/questions.ts'

/** A question to a fake person, with the diffs of that moment. */
interface Asked extends Question {
  readonly diffs: readonly string[]
}

/** A fake person: gives these answers in turn, repeats the last one, and remembers the questions. */
export function fakePerson(...answers: readonly Answer['answer'][]): Answerer & { readonly asked: Asked[] } {
  const questions: Asked[] = []
  const person = (question: Question): Answer => {
    const answer = answers[Math.min(questions.length, answers.length - 1)] ?? 'no'
    const diffs = question.card.changes.filter(({ kind }) => kind !== 'mkdir').map(change => change.diff())
    questions.push({ ...question, diffs })
    return { answer, by: 'a fake person' }
  }
  return Object.assign(person, { asked: questions })
}

/** A fake vault with these secrets in it. */
export function fakeSecrets(values: Readonly<Record<string, string>>): SecretProvider {
  const secretsByKey = new Map(Object.entries(values))
  return { get: async key => secretsByKey.get(key) }
}
