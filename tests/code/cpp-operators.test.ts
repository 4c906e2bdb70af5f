// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap', 'clangd')

const TEXT = `struct V {
  int x;
  bool operator==(const V& o) const { return x == o.x; }
  V operator+(const V& o) const { return {x + o.x}; }
  V& operator[](int) { return *this; }
  operator bool() const { return x; }
};
struct O {};
O& operator<<(O& o, const V&) { return o; }
bool same(V a, V b) { return a == b; }
V sum(V a, V b) { return a + b; }
bool named(V a, V b) { return a.operator==(b); }
O& shown(O& o, V a) { return o << a << a[1]; }
int plain() { return 1 << 2; }
bool converted(V a) { return a ? true : false; }
`

describe('callers of an operator in C++, by its server', () => {
  it('are the places of its sign, and are never all that may call it', async () => {
    await using workspace = temporaryWorkspace({ 'a.cpp': TEXT })
    const kit = await workspace.open({ permissions: ['fs:read'] })
    const callers = async (name: string) => {
      const { data } = (await kit.call('callers', { name, path: 'a.cpp' })) as {
        data: { callers: readonly { line: number }[]; unknown: readonly string[]; partial: boolean }
      }
      const { callers: all, unknown, partial } = data
      return { lines: all.map(({ line }) => line), unknown, partial }
    }
    const called = (name: string, ...lines: number[]) => ({
      lines,
      unknown: [`The language and templates call ${name} without its name being written`],
      partial: true,
    })
    expect(await callers('V.operator==')).toEqual(called('operator==', 10, 12))
    expect(await callers('V.operator+')).toEqual(called('operator+', 11))
    expect(await callers('V.operator[]')).toEqual(called('operator[]', 13))
    expect(await callers('operator<<')).toEqual(called('operator<<', 13))
    expect(await callers('V.operator bool')).toEqual(called('operator bool', 15))
  })
})
