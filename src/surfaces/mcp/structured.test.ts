import { describe, expect, it } from 'vitest'
import { getsStructured } from './structured.ts'

describe('getsStructured', () => {
  it.each([
    ['claude-code', '2.1.325', false],
    ['claude-code', '2.10.0', false],
    ['claude-code', '10.0.0', false],
    ['claude-code', '2.0.99', true],
    ['claude-code', '1.0.0', true],
    ['claude-code', '', true],
    ['claude-code', 'next', true],
    ['codex-mcp-client', '0.166.0', false],
    ['codex-mcp-client', '0.99.0', true],
    ['gemini-cli-mcp-client', '0.61.0', false],
    ['gemini-cli-mcp-client-toolwright', '0.0.1', false],
    ['@langchain/mcp-adapters', '1.1.4', false],
    ['@langchain/mcp-adapters', '0.6.0', true],
    ['claude-codex', '3.0.0', true],
    ['another', '9.0.0', true],
  ])('decides by the name and the version: %s %s', (name, version, isSent) => {
    expect(getsStructured('auto', { name, version })).toBe(isSent)
    expect(getsStructured('always', { name, version })).toBe(true)
    expect(getsStructured('never', { name, version })).toBe(false)
  })
})
