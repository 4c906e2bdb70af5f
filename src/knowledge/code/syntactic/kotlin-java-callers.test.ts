import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './syntactic-callers.ts'

/** A module of an Android app: nothing of `android.*` is there, and names repeat as they do in real ones. */
const APP = {
  'app/src/main/java/com/shop/data/UserRepository.kt': `package com.shop.data

import android.content.Context
import kotlinx.coroutines.flow.Flow

interface UserSource {
    suspend fun load(id: Int): User?
}

class UserRepository(private val context: Context, private val api: UserApi) : UserSource {
    private val cache: MutableMap<Int, User> = mutableMapOf()

    override suspend fun load(id: Int): User? = cache[id] ?: api.fetch(id)

    fun load(id: Int, force: Boolean): User? {
        return if (force) api.fetch(id) else null
    }

    fun clear() {
        cache.clear()
    }

    companion object {
        @Volatile private var instance: UserRepository? = null

        fun get(context: Context): UserRepository =
            instance ?: UserRepository(context, UserApi())
    }
}
`,
  'app/src/main/java/com/shop/data/UserApi.kt': `package com.shop.data

class UserApi {
    fun fetch(id: Int): User = User(id, normalize("ann"))
}

data class User(val id: Int, val name: String)
`,
  'app/src/main/java/com/shop/data/Text.kt': `package com.shop.data

fun normalize(text: String): String = text.trim()

fun String.shout(loud: Boolean = true): String = normalize(this).uppercase()
`,
  'app/src/main/java/com/shop/legacy/Text.kt': `package com.shop.legacy

fun normalize(text: String): String = text

class OrderRepository {
    fun load(id: Int): Order = Order(normalize("x"))
    fun clear() {}
}

class Order(val title: String)
`,
  'app/src/main/java/com/shop/ui/ProfileActivity.kt': `package com.shop.ui

import android.os.Bundle
import android.util.Log
import androidx.appcompat.app.AppCompatActivity
import com.shop.data.User
import com.shop.data.UserRepository
import com.shop.data.UserSource
import com.shop.data.normalize as tidy
import com.shop.data.shout
import com.shop.legacy.OrderRepository

class ProfileActivity : AppCompatActivity() {
    private val repository by lazy { UserRepository.get(this) }
    private lateinit var orders: OrderRepository
    private var source: UserSource = repository

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        Log.d("Profile", "load")
        render(1)
        orders.load(7)
        orders.clear()
    }

    private fun render(id: Int) {
        val user = repository.load(id, true)
        title = tidy(user?.name ?: "").shout()
        with(repository) {
            clear()
        }
    }

    fun refresh(ids: List<Int>) {
        ids.forEach { source.load(it) }
        render(
            ids.first(),
        )
    }
}
`,
  'app/src/main/java/com/shop/ui/Presenter.java': `package com.shop.ui;

import android.view.View;
import com.shop.data.*;
import com.shop.legacy.OrderRepository;
import java.util.List;

public class Presenter implements View.OnClickListener {
  private final UserRepository repository;
  private final OrderRepository orders = new OrderRepository();

  public Presenter(UserRepository repository) {
    this.repository = repository;
  }

  @Override
  public void onClick(View view) {
    show(view.getId());
    view.clear();
  }

  void show(int id) {
    User user = repository.load(id, false);
    orders.load(id);
    reload(List.of(user));
  }

  void reload(List<User> users) {
    for (User each : users) {
      repository.load(each.getId(), true);
    }
    UserRepository.Companion.get(null).clear();
  }

  static Presenter create(android.content.Context context) {
    return new Presenter(UserRepository.Companion.get(context));
  }
}
`,
}

const DATA = 'app/src/main/java/com/shop/data'
const LEGACY = 'app/src/main/java/com/shop/legacy'
const UI = 'app/src/main/java/com/shop/ui'

/** Callers in the app, with the plain names of files. */
async function callers(path: string, name: string, depth = 1) {
  const found = await writtenCallers(APP, path, name, depth)
  return found.map(each => each.replace(/ @.*\//, ' @'))
}

describe('callers in Kotlin and Java, from the text of an Android app', () => {
  it('DA-13: include those of an overload, over both languages', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository.load')).toEqual([
      'Presenter.show > UserRepository.load @Presenter.java:23',
      'Presenter.reload > UserRepository.load @Presenter.java:30',
      'ProfileActivity.render > UserRepository.load @ProfileActivity.kt:27',
    ])
    // Through the interface.
    expect(await possibleCallers(APP, `${DATA}/UserRepository.kt`, 'UserRepository.load')).toEqual([
      `ProfileActivity.refresh @${UI}/ProfileActivity.kt:35`,
    ])
  })

  it('DA-13: of an interface are those with as many arguments as it takes', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserSource.load')).toEqual([
      'ProfileActivity.refresh > UserSource.load @ProfileActivity.kt:35',
    ])
  })

  it('DA-13: of a method of the same name in another class stay apart', async () => {
    expect(await callers(`${LEGACY}/Text.kt`, 'OrderRepository.load')).toEqual([
      'Presenter.show > OrderRepository.load @Presenter.java:24',
      'ProfileActivity.onCreate > OrderRepository.load @ProfileActivity.kt:22',
    ])
  })

  it('DA-13: do not include calls of a library method of the same name', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'clear')).toEqual([
      'Presenter.reload > UserRepository.clear @Presenter.java:32',
      'ProfileActivity.render > UserRepository.clear @ProfileActivity.kt:30',
    ])
  })

  it('DA-13: of a function come by its alias, and by its name in its own package', async () => {
    expect(await callers(`${DATA}/Text.kt`, 'normalize')).toEqual([
      'shout > normalize @Text.kt:5',
      'UserApi.fetch > normalize @UserApi.kt:4',
      'ProfileActivity.render > normalize @ProfileActivity.kt:28',
    ])
  })

  it('DA-13: of a function of the same name in another package stay apart', async () => {
    expect(await callers(`${LEGACY}/Text.kt`, 'normalize')).toEqual(['OrderRepository.load > normalize @Text.kt:6'])
  })

  it('DA-13: of an extension function are found on a value', async () => {
    expect(await callers(`${DATA}/Text.kt`, 'shout')).toEqual(['ProfileActivity.render > shout @ProfileActivity.kt:28'])
  })

  it('DA-13: of a method of a companion come by the class in Kotlin, and by Companion in Java', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository.get')).toEqual([
      'Presenter.reload > UserRepository.get @Presenter.java:32',
      'Presenter.create > UserRepository.get @Presenter.java:36',
      'ProfileActivity > UserRepository.get @ProfileActivity.kt:14',
    ])
  })

  it('DA-13: of a Kotlin constructor name the class', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository')).toEqual([
      'UserRepository.get > UserRepository @UserRepository.kt:27',
    ])
  })

  it('DA-13: of a Java constructor say new', async () => {
    expect(await callers(`${UI}/Presenter.java`, 'Presenter')).toEqual([
      'Presenter.create > Presenter @Presenter.java:36',
    ])
  })

  it('of callers come with the whole chain, outermost first', async () => {
    expect(await callers(`${DATA}/UserApi.kt`, 'fetch', 3)).toEqual([
      'UserRepository.load > UserApi.fetch @UserRepository.kt:13',
      'UserRepository.load > UserApi.fetch @UserRepository.kt:16',
      'Presenter.onClick > Presenter.show > UserRepository.load > UserApi.fetch @Presenter.java:18',
      'Presenter.show > UserRepository.load > UserApi.fetch @Presenter.java:23',
      'Presenter.show > Presenter.reload > UserRepository.load > UserApi.fetch @Presenter.java:25',
      'Presenter.reload > UserRepository.load > UserApi.fetch @Presenter.java:30',
      'ProfileActivity.onCreate > ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:21',
      'ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:27',
      'ProfileActivity.refresh > ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:36',
    ])
  })

  it('go around a ring of calls once', async () => {
    const ring = {
      'ring.kt': `fun ping(count: Int) {
    pong(count)
}

fun pong(count: Int) {
    ping(count)
    pong(count - 1)
}

fun main() {
    ping(3)
}
`,
    }
    expect(await writtenCallers(ring, 'ring.kt', 'ping', 5)).toEqual([
      'ping > pong > ping @ring.kt:2',
      'pong > ping @ring.kt:6',
      'main > ping @ring.kt:11',
    ])
  })

  it('cannot be asked for by a name that is not there: the error says which are', async () => {
    const project = await writtenProject(APP)
    expect(() => callersIn(project, `${DATA}/Text.kt`, 'nothing', 1)).toThrow(
      expect.objectContaining({ code: 'no_match', hint: expect.stringContaining('normalize') }),
    )
  })

  it('cannot be asked for by a name that several have: the error says which', async () => {
    const project = await writtenProject(APP)
    expect(() => callersIn(project, `${DATA}/UserRepository.kt`, 'load', 1)).toThrow(
      expect.objectContaining({ code: 'ambiguous', hint: expect.stringContaining('UserSource.load') }),
    )
  })
})
