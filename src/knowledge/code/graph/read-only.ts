import { ToolError } from '../../../kernel/error.ts'

/** Words that begin something else than a query: they change the graph, or access files, the network and settings. */
const REFUSED = new Set(
  (
    'CREATE MERGE SET DELETE DETACH REMOVE DROP ALTER INSERT UPDATE COPY LOAD ATTACH USE INSTALL UNINSTALL EXTENSION EXPORT ' +
    'IMPORT CALL BEGIN COMMIT ROLLBACK CHECKPOINT TRANSACTION EXPLAIN PROFILE MACRO GLOB'
  ).split(' '),
)
const BEGINNINGS = new Set(['MATCH', 'OPTIONAL', 'UNWIND', 'WITH', 'RETURN'])
const LONGEST = 20_000

/** Throws unless the text is one read-only statement. Properties and names in backquotes may have any name. */
export function ensureReadOnly(query: string): void {
  if (query.includes('\0')) refuse('The query has a NUL character')
  if (query.length > LONGEST) refuse(`The query has more than ${LONGEST} characters`)
  const words = wordsOf(query)
  const [first = ''] = words
  if (!BEGINNINGS.has(first))
    refuse(`A query begins with ${[...BEGINNINGS].join(', ')}${first && `, not with ${first}`}`)
  const bad = words.find(word => REFUSED.has(word))
  if (bad !== undefined) refuse(`The code graph can only be read: ${bad} is not allowed`)
}

function refuse(message: string): never {
  throw new ToolError('invalid_input', message, {
    hint: 'Write one statement such as MATCH (f:Function)-[:CALLS]->(g:Function) WHERE g.name = $name RETURN f.path, f.name',
  })
}

const TOKEN =
  /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`]|``)*`|\/\/[^\n\r]*|\/\*[^]*?\*\/|(?:[.$:|]\s*)?[\p{L}_][\p{L}\p{N}_]*|;|["'`]|\/\*/gu

/** The bare words in upper case, without strings, comments, parameters, properties and labels. */
function wordsOf(query: string): readonly string[] {
  const words: string[] = []
  const tokens = query.replace(/[;\s]+$/, '').match(TOKEN) ?? []
  for (const token of tokens) {
    if (token === ';') refuse('There is more than one statement')
    if (/^(["'`]|\/\*)$/.test(token)) refuse(`The query has a ${token} that does not end`)
    if (/^[\p{L}_]/u.test(token)) words.push(token.toUpperCase())
  }
  return words
}
