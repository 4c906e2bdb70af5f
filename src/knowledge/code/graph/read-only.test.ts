import { describe, expect, it } from 'vitest'
import { ensureReadOnly } from './read-only.ts'

describe('ensureReadOnly', () => {
  it.each([
    'MATCH (f:Function) RETURN f.name',
    '  optional match (f:File) return f;',
    "MATCH (f) WHERE f.name = 'CREATE; DROP' RETURN f.path",
    'MATCH (f) WHERE f.set = 1 RETURN f',
    'MATCH (f:`create`) RETURN f // then SET nothing',
    'MATCH (f) /* CALL */ WHERE f.name = $call RETURN f',
    'UNWIND [1, 2] AS x WITH x RETURN x',
    'RETURN 1',
    // A statement that begins so cannot stand behind another one.
    'MATCH (f) WITH f.name AS comment RETURN comment',
  ])('takes %s', query => {
    expect(() => ensureReadOnly(query)).not.toThrow()
  })

  it.each([
    "CREATE (:File {id: 'a'})",
    'MATCH (f) SET f.name = 1',
    'MATCH (f) DETACH DELETE f',
    'MATCH (f) /* x */ delete f',
    "COPY (MATCH (a:File) RETURN a.id) TO '/tmp/out.csv'",
    "LOAD FROM '/etc/passwd' RETURN *",
    "MATCH (f) LOAD FROM '/etc/passwd' (file_format='csv') RETURN *",
    "ATTACH '/tmp/other' AS other (dbtype lbug)",
    'INSTALL httpfs',
    "LOAD EXTENSION '/tmp/x.so'",
    "EXPORT DATABASE '/tmp/all'",
    "IMPORT DATABASE '/tmp/all'",
    'CALL show_tables() RETURN *',
    'MATCH (f) CALL current_setting("threads") RETURN *',
    'CALL threads=8',
    'CHECKPOINT',
    'BEGIN TRANSACTION',
    'USE other',
    'EXPLAIN MATCH (f) RETURN f',
    'MERGE (f:File)',
    "COMMENT ON TABLE File IS 'x'",
    'RETURN 1\0',
    'RETURN 1; RETURN 2',
    'MATCH (f) RETURN "open',
    'MATCH (f) RETURN f /* open',
    "MATCH (f) WHERE f.name = '\\' RETURN f // ' SET f.name = 1",
    '',
  ])('refuses %s', query => {
    expect(() => ensureReadOnly(query)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('refuses a query above the length limit', () => {
    expect(() => ensureReadOnly(`RETURN '${'x'.repeat(20_000)}'`)).toThrow('more than 20000 characters')
  })
})
