import type {Link} from '../store/tables/work/link.ts'
import type {NotificationStore} from '../store/tables/work/notifications.ts'
import type {SendStore} from '../store/tables/work/sends.ts'
import type {LinkKeeper} from './link-keeper.ts'
import type {WantedPost} from './post.ts'
import type {KnownPullRequests, PullRequestBook} from './pull-requests.ts'
import {type Beside, wantedPosts} from './posts/posts.ts'
import type {Naming} from './posts/pull-request.ts'
import type {Shaping, SplitRule} from './posts/reply-posts.ts'
import type {Timeline} from './timeline/timeline.ts'

/** What Slack should show of one link. */
interface View {
  /** Our own tables say something new beside the link. */
  reload(): Promise<void>
  /** The same array for as long as nothing that it is made of has changed. `mayCall`: nobody is called before. */
  posts(shaping: Shaping, mayCall: boolean): readonly WantedPost[]
  /** What it says of pull requests, once. All of its posts stand now. */
  toldOf(): KnownPullRequests['news']
  /** Somebody is called by one of them, and it is not over. */
  hasOpenCall(): boolean
}

interface ViewOptions {
  keeper: LinkKeeper
  naming: Naming
  timeline: () => Timeline
  sends: SendStore
  notifications: NotificationStore
  splitRule: SplitRule
  /** Slack says in this place what the agent is doing. */
  hasStatusLine: (link: Link) => boolean
  onLate: (link: Link) => void
  budgetOf: (link: Link) => Promise<Beside['budget']>
  pullRequestBook: Pick<PullRequestBook, 'of'>
}

export async function openView(options: ViewOptions): Promise<View> {
  const {keeper, naming, timeline, sends, notifications, splitRule, hasStatusLine, onLate} = options
  const {budgetOf, pullRequestBook: book} = options
  const {id} = keeper.link()
  let news: KnownPullRequests['news'] = []
  /** Of that, what the posts say that were asked for last. */
  let said: KnownPullRequests['news'] = []
  const readBeside = async (): Promise<Beside> => {
    const [unsure, waiting, held, called, isLate, budget, named] = await Promise.all([
      ...([sends.unsure(id), sends.waiting(id), sends.held(id), notifications.ofLink(id)] as const),
      ...([sends.hasLate(id), budgetOf(keeper.link()), book.of(keeper.link())] as const),
    ])
    if (isLate) onLate(keeper.link())
    ;({news} = named)
    return {unsure, waiting, held, notifications: called, budget, pullRequests: named}
  }
  let beside = await readBeside()
  let cached: {posts: WantedPost[]; of: unknown[]} | undefined

  return {
    reload: async () => {
      beside = await readBeside()
    },
    hasOpenCall: () => beside.notifications.some(({state}) => state === 'open'),
    toldOf: () => {
      const told = said
      said = []
      if (news === told) news = []
      return told
    },
    posts: (shaping, mayCall) => {
      const link = keeper.link()
      said = news
      const pullRequests = naming.named()
      const isTold = hasStatusLine(link)
      const of = [link, timeline(), beside, shaping, pullRequests, isTold, mayCall]
      if (cached?.of.every((part, index) => part === of[index]) !== true) {
        const now = {...link, pullRequests}
        const posts = wantedPosts(now, timeline(), beside, splitRule, shaping, isTold)
        cached = {of, posts: mayCall ? posts : posts.map(uncalled)}
      }
      return cached.posts
    },
  }
}

/** A call that is open, as it would be if it were over: where it stands it stays. */
function uncalled(post: WantedPost): WantedPost {
  const {content} = post
  const isCall = content.kind === 'ping' && content.state === 'open'
  return isCall ? {...post, isCreated: false} : post
}
