import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in C#, from the text', () => {
  const files = {
    'Data/Repository.cs': `namespace Shop.Data {
  public class Repository {
    public int Get(int id) { return id; }
    public int Get(int id, bool force) { return Get(id); }
  }
}
`,
    'Legacy/Repository.cs': `namespace Shop.Legacy {
  public class Repository {
    public int Get(int id) { return id; }
  }
}
`,
    'Ui/View.cs': `using System;
using Shop.Data;

namespace Shop.Ui {
  public class View {
    private readonly Repository repository = new Repository();
    private Shop.Legacy.Repository legacy;

    public void ByField() { repository.Get(1, true); }
    public void OnLegacy() { legacy.Get(2); }
    public void OnLibrary() { Console.Get(3); }
  }
}
`,
  }

  it('of a method come by a field of the imported class, whatever overload, and not by a library', async () => {
    expect(await writtenCallers(files, 'Data/Repository.cs', 'Repository.Get')).toEqual([
      'Repository.Get > Repository.Get @Data/Repository.cs:4',
      'View.ByField > Repository.Get @Ui/View.cs:9',
    ])
  })

  it('of a method of the same class name in another namespace stay apart', async () => {
    expect(await writtenCallers(files, 'Legacy/Repository.cs', 'Repository.Get')).toEqual([
      'View.OnLegacy > Repository.Get @Ui/View.cs:10',
    ])
  })
})

describe('callers of extension methods in C#, from the text', () => {
  const files = {
    'Extensions.cs': `namespace Shop
{
    public static class Extensions
    {
        public static int Shorten(this string text, int length = 1) { return 1; }
        public static int Twice(this Cart cart) { return Once(); }
        static int Once() { return 1; }
    }
    public class Cart
    {
        public int OnParameter(string text) { return text.Shorten(); }
        public int OnLiteral() { return "a".Shorten(2); }
        public int OnOther(Cart other) { return other.Twice(); }
        public int OnThis() { return this.Twice(); }
        public int ByClass(Cart other) { return Extensions.Twice(other); }
        public int Once() { return 2; }
        public int Shorten() { return 3; }
        public int OwnMethod() { return Shorten(); }
    }
}
`,
  }

  it('are called on the type that they extend', async () => {
    expect(await writtenCallers(files, 'Extensions.cs', 'Extensions.Shorten')).toEqual([
      'Cart.OnParameter > Extensions.Shorten @Extensions.cs:11',
      'Cart.OnLiteral > Extensions.Shorten @Extensions.cs:12',
    ])
  })

  it('are called on another object, on this, and by their class', async () => {
    expect(await writtenCallers(files, 'Extensions.cs', 'Twice')).toEqual([
      'Cart.OnOther > Extensions.Twice @Extensions.cs:13',
      'Cart.OnThis > Extensions.Twice @Extensions.cs:14',
      'Cart.ByClass > Extensions.Twice @Extensions.cs:15',
    ])
  })

  it('call static methods of their own class, not methods of what they extend', async () => {
    expect(await writtenCallers(files, 'Extensions.cs', 'Extensions.Once')).toEqual([
      'Extensions.Twice > Extensions.Once @Extensions.cs:6',
    ])
  })

  it('do not stand in for a method of the class itself', async () => {
    expect(await writtenCallers(files, 'Extensions.cs', 'Cart.Shorten')).toEqual([
      'Cart.OwnMethod > Cart.Shorten @Extensions.cs:18',
    ])
  })
})
