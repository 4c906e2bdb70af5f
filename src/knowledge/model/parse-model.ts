import { languageOf } from '../../languages/registry.ts'
import { decode } from './decode.ts'
import { LARGEST } from './facts/facts-of.ts'
import { askParser, wordsForUnparsed } from '../parser/ask-parser.ts'
import { modelOf } from './model-of.ts'
import { EMPTY_MODEL, type FileModel } from '../../languages/file-model/file-model.ts'
import { unreadText } from '../../languages/file-model/unread-text.ts'

/** Parses one file in a separate process; a file that crashes it counts as unread. */
export const parseModel = async (path: string, bytes: Uint8Array): Promise<FileModel | undefined> =>
  (await parsedModel(path, bytes)).code

/** The same, with the reason if it could not be parsed. */
export async function parsedModel(
  path: string,
  bytes: Uint8Array,
): Promise<{ readonly code: FileModel | undefined; readonly unparsed?: string }> {
  const language = languageOf(path)
  if (language === undefined || bytes.length > LARGEST) return { code: await modelOf(path, bytes) }
  const reply = await askParser({ job: 'code', path, content: bytes })
  if ('value' in reply) return { code: reply.value as FileModel | undefined }
  const code = { language, ...EMPTY_MODEL, unread: [unreadText(decode(bytes))], isUnparsed: true } as const
  return { code, unparsed: wordsForUnparsed(reply.failed) }
}
