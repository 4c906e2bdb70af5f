import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimServer, listeningServer, serverPlace, type ServerPlace } from './server-place.ts'
import { openTokens } from './tokens.ts'

let base: string
let place: ServerPlace
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
  place = serverPlace(base)
})
afterEach(() => rmSync(base, { recursive: true }))

const AT = '2026-01-01T00:00:00.000Z'
const own = (): string => readFileSync(place.token, 'utf8').trim()

describe('tokens', () => {
  it('begin with one of the person, in a file that only the user reads, and the same the next time', () => {
    const tokens = openTokens(place)
    expect(statSync(place.token).mode & 0o777).toBe(0o600)
    expect(statSync(place.directory).mode & 0o777).toBe(0o700)
    expect(own()).toMatch(/^tw_[\w-]{43}$/)
    expect(tokens.callerOf(own())).toMatchObject({ name: 'owner', scopes: ['read', 'call', 'approve'] })
    const before = own()
    openTokens(place)
    expect(own()).toBe(before)
  })

  it('of clients are stored as hashes, known to other processes at once, and gone once revoked', () => {
    const [tokens, other] = [openTokens(place), openTokens(place)]
    const token = tokens.add('editor', ['call', 'read'], AT)
    expect(readFileSync(place.tokens, 'utf8')).not.toContain(token)
    expect(other.callerOf(token)).toMatchObject({ name: 'editor', scopes: ['read', 'call'] })
    expect(other.list()).toEqual([{ name: 'editor', scopes: ['read', 'call'], at: AT }])
    expect(tokens.revoke('editor')).toBe(true)
    expect(other.callerOf(token)).toBeUndefined()
    expect(tokens.revoke('editor')).toBe(false)
  })

  it.each(['', 'a b', '../x', 'owner', 'x'.repeat(65)])('take no name such as %j', name => {
    expect(() => openTokens(place).add(name, ['read'], AT)).toThrow(/cannot be the name of a token/)
  })

  it('have one name each', () => {
    const tokens = openTokens(place)
    tokens.add('editor', ['read'], AT)
    expect(() => tokens.add('editor', ['call'], AT)).toThrow(/There is a token 'editor' already/)
  })

  it('are refused if others may read the file of the person', () => {
    openTokens(place)
    chmodSync(place.token, 0o644)
    expect(() => openTokens(place)).toThrow(/Other users may read the token/)
  })

  it('are an error, and not none, if the list is damaged', () => {
    const tokens = openTokens(place)
    const token = tokens.add('editor', ['read'], AT)
    writeFileSync(place.tokens, '{')
    expect(() => tokens.callerOf(token)).toThrow(/cannot be used/)
  })
})

describe('the right to serve a workspace', () => {
  it('belongs to one server, which others find', () => {
    const claim = claimServer(place)
    expect(claimServer(place)).toBeUndefined()
    expect(listeningServer(place)).toBeUndefined()
    claim?.announce({ url: 'http://127.0.0.1:1', port: 1, tokenFile: place.token })
    expect(listeningServer(place)).toMatchObject({ url: 'http://127.0.0.1:1', pid: process.pid })
    claim?.release()
    const next = claimServer(place)
    expect(next?.lastPort).toBe(1)
    next?.release()
  })
})
