// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap', 'clangd')

const TEXT = `void show(int id) {}
void show(const char* name) {}
int main() {
  show(1);
  show("a");
}
`

describe('one overload in C++, by its server', () => {
  it('has its own callers by its parameter types, and an unknown one is an error that names all', async () => {
    await using workspace = temporaryWorkspace({ 'a.cpp': TEXT })
    const kit = await workspace.open({ permissions: ['fs:read'] })
    const callers = (name: string) => kit.call('callers', { name, path: 'a.cpp' })
    const lines = (...all: number[]) => ({ ok: true, data: { callers: all.map(line => ({ line })), possible: [] } })
    expect(await callers('show')).toMatchObject(lines(4, 5))
    expect(await callers('show(int)')).toMatchObject(lines(4))
    expect(await callers('show(const char*)')).toMatchObject(lines(5))
    expect(await callers('show(bool)')).toMatchObject({
      ok: false,
      error: { code: 'no_match', hint: expect.stringContaining('show(int), show(char*)') },
    })
  })
})
