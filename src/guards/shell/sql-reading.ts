const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Functions that only compute. Others write files, load code or start an editor. */
const FUNCTIONS =
  names(`abs acos asin atan atan2 avg bm25 ceil ceiling changes char coalesce concat concat_ws cos count cume_dist date datetime
degrees dense_rank exp first_value floor format generate_series glob group_concat hex highlight ifnull iif instr json json_array
json_array_length json_each json_extract json_group_array json_group_object json_insert json_object json_patch json_quote json_remove
json_replace json_set json_tree json_type json_valid julianday lag last_insert_rowid last_value lead length like likelihood likely ln log
log10 log2 lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pi pow power pragma_foreign_key_list
pragma_index_info pragma_index_list pragma_table_info pragma_table_xinfo printf quote radians random randomblob rank replace round
row_number rtrim sign sin snippet soundex sqlite_version sqrt strftime string_agg substr substring sum tan time timediff total
total_changes trim trunc typeof unhex unicode unixepoch unlikely upper zeroblob`)

/** Keywords that can precede a bracket. */
const WORDS =
  names(`all and as between by case cast distinct else except exists filter from having in intersect is join limit materialized not
offset on or over partition select then union using values when where`)

/** Statements that change the database or the connection; no query has these words unquoted. */
const CHANGES =
  names(`alter analyze attach begin commit create delete detach drop end_transaction insert into pragma reindex release
rollback savepoint update vacuum`)

const PRAGMAS =
  names(`application_id collation_list compile_options data_version database_list encoding foreign_key_check foreign_keys
freelist_count function_list integrity_check journal_mode max_page_count module_list page_count page_size pragma_list quick_check
schema_version synchronous table_list user_version`)
/** These name a table. */
const TABLE_PRAGMAS = names('foreign_key_list index_info index_list index_xinfo table_info table_list table_xinfo')

const DOT = new RegExp(
  String.raw`^\.(bail|changes|databases|dbinfo|dump|echo|eqp|explain|fullschema|headers?|help|indexes|indices|mode|nullvalue|print|schema|separator|sha3sum|show|stats|tables|timer|version|width)([ \t][^\n\r|]*)?$`,
)

type Token = { readonly kind: 'name' | 'quoted' | 'text' | 'sign'; readonly text: string }

/**
 * Reports whether sqlite only reads with this text: queries, or a command of its shell that shows something, spelled in
 * full.
 */
export function isReadingSql(text: string): boolean {
  if (/(^|\n)\s*[.#]/.test(text)) return DOT.test(text.trim())
  const tokens = tokensOf(text)
  if (!tokens) return false
  const statements = statementsOf(tokens)
  return statements.length > 0 && statements.every(isReadingStatement)
}

const TOKEN =
  /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|[\w$\u0080-\uFFFF]+|\s+|[^\w\s'"`[\]$\u0080-\uFFFF]/y

/** Returns undefined if a quote is not closed, or a sign is unknown. */
function tokensOf(sql: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < sql.length) {
    const token = TOKEN.exec(sql)
    if (!token) return undefined
    const [all, ...quotations] = token
    const name = quotations.find(one => one !== undefined)
    if (/^(--|\/\*|\s)/.test(all)) continue
    if (name !== undefined) tokens.push({ kind: 'quoted', text: name.toLowerCase() })
    else if (all.startsWith("'")) tokens.push({ kind: 'text', text: all })
    else tokens.push({ kind: /^[\w$\u0080-\uFFFF]/.test(all) ? 'name' : 'sign', text: all.toLowerCase() })
  }
  // An unclosed comment extends to the end.
  return tokens.some(({ text }, at) => text === '/' && tokens[at + 1]?.text === '*') ? undefined : tokens
}

function statementsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = [[]]
  for (const token of tokens)
    if (token.kind === 'sign' && token.text === ';') statements.push([])
    else statements.at(-1)?.push(token)
  return statements.filter(statement => statement.length > 0)
}

function isReadingStatement(statement: readonly Token[]): boolean {
  const [first, ...rest] = statement
  if (first?.kind !== 'name') return false
  if (first.text === 'pragma') return isReadingPragma(rest)
  if (!/^(select|values|with)$/.test(first.text)) return false
  return statement.every((token, at) => {
    if (token.kind === 'name' && CHANGES.has(token.text)) return false
    if (statement[at + 1]?.text !== '(') return token.text !== 'replace' || token.kind !== 'name'
    if (token.kind === 'sign') return true
    if (token.kind === 'text') return false
    const before = statement[at - 1]
    const isTable = before?.kind === 'name' && /^(with|recursive)$/.test(before.text)
    return (
      isTable ||
      FUNCTIONS.has(token.text) ||
      (token.kind === 'name' && (WORDS.has(token.text) || /^\d/.test(token.text)))
    )
  })
}

function isReadingPragma(tokens: readonly Token[]): boolean {
  const [name, open, , close, ...more] = tokens
  if (name?.kind !== 'name') return false
  if (tokens.length === 1) return PRAGMAS.has(name.text)
  return TABLE_PRAGMAS.has(name.text) && open?.text === '(' && close?.text === ')' && more.length === 0
}
