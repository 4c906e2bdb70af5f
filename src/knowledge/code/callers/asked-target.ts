import { ToolError } from '../../../kernel/error.ts'
import { parseModel } from '../../model/parse-model.ts'
import { chooseTarget } from './choose-target.ts'
import type { Named } from './named.ts'
import { notDefined } from './not-defined.ts'
import type { PutQuestion } from './put-question.ts'

/** The symbol that a question is about. A server lists nothing of what it could not parse: our own parser says so. */
export async function askedTarget(
  { looks, path }: Pick<PutQuestion, 'looks' | 'path'>,
  asked: string,
): Promise<readonly Named[]> {
  const named = await looks.named(path)
  try {
    return chooseTarget(named, asked, path)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'no_match') throw error
    const code = await parseModel(path, Buffer.from(looks.source(path).text))
    const names = named.map(({ name }) => name)
    throw notDefined(asked, path, names, code)
  }
}
