import type { Concern } from '../concern.ts'
import { fileConcern } from '../concern.ts'
import { literalOf } from '../script.ts'
import { isReadingSql } from '../sql-reading.ts'
import { concernAt } from './judge-arguments.ts'
import { programs } from './program.ts'
import { has } from './read-arguments.ts'
import type { Reading } from './reading.ts'

/** The sqlite shell with queries as arguments. Its input could hold commands that start programs or write files. */
export const SQLITE = programs({
  sqlite3: {
    // Reading a database in WAL mode writes files beside it.
    does: 'write',
    operands: 'texts',
    style: 'words',
    dashedIsOption: true,
    spelling: name => name.replace(/^--/, '-'),
    options: `-ascii -bail -batch -box -column -csv -echo -header -noheader -help -html -json -line -list -markdown -newline= -nofollow
    -nullvalue= -quote -readonly -safe -separator= -stats -table -tabs -version`,
    judge: queryConcerns,
  },
})

function queryConcerns(reading: Reading, words: readonly unknown[]): readonly Concern[] {
  const [database, ...queries] = reading.operands
  if (has(reading, '-help', '-version')) return []
  if (!database || queries.length === 0) return [{ at: words.length, what: 'it follows what it reads' }]
  const name = literalOf(database.word) ?? ''
  return [
    ...concernAt(database.at, /^file:|^\|/i.test(name) ? `'${name}' may be more than a file` : databaseConcern(name)),
    ...queries.flatMap(({ at, word }) => {
      const text = literalOf(word)
      return concernAt(
        at,
        text !== undefined && isReadingSql(text) ? undefined : 'it may do more than read the database',
      )
    }),
  ]
}

const databaseConcern = (name: string): string | undefined => (name === ':memory:' ? undefined : fileConcern(name))
