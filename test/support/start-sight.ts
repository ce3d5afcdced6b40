import {expect} from 'vitest'
import {JANE, type Place, type World} from './world.ts'

/** The action id of the button with this label. */
export function buttonOf(blocks: unknown, label: string): string {
  const pattern = new RegExp(`"action_id":"([^"]+)","text":{"type":"plain_text","text":"${label}"`)
  const id = pattern.exec(JSON.stringify(blocks))?.[1]
  if (id === undefined) throw new Error(`No button ${label} in ${JSON.stringify(blocks)}`)
  return id
}

/** What stories about the start of work look at, in the world that runs now. */
export function createStartSight(worldNow: () => World) {
  return {
    creation,
    creationOf,
    told,
    cardSays,
    everything,
    creationsOf,
    openingOf,
    creationIn,
    formOf,
    sentTexts,
  }

  /** What the thread of this place was created with. */
  async function creation(place: Place): Promise<Record<string, unknown>> {
    const requestId = `slack:${worldNow().slack.teamId}:${place.channel}:${place.ts}`
    return worldNow().until('the thread is created', () => creationOf(requestId))
  }

  function creationOf(requestId: string): Record<string, unknown> | undefined {
    const bodies = worldNow()
      .posts('/api/v1/threads')
      .map(({body}) => body as Record<string, unknown>)
    return bodies.findLast((body) => body['requestId'] === requestId)
  }

  function told(as: string, channel: string, words: string) {
    return worldNow().until(`${as} is told: ${words}`, () =>
      worldNow()
        .slack.ephemerals(channel, as)
        .find(({text}) => text.includes(words)),
    )
  }

  function cardSays(place: Place, words: string) {
    return worldNow().until(`the card says: ${words}`, () => {
      const [card] = worldNow().ours(place)
      return card !== undefined && JSON.stringify(card.blocks).includes(words) ? card : undefined
    })
  }

  /** What stands in Jane's direct messages, and what only she sees. */
  function everything() {
    return [
      ...worldNow().slack.messages('D0JANE'),
      ...['C0WEB', 'C0RANDOM', 'D0JANE'].flatMap((id) => worldNow().slack.ephemerals(id, JANE)),
    ]
  }

  function creationsOf({channel, ts}: Place) {
    const requestId = `slack:${worldNow().slack.teamId}:${channel}:${ts}`
    return worldNow()
      .posts('/api/v1/threads')
      .filter(({body}) => JSON.stringify(body).includes(requestId))
  }

  function openingOf(text: string, channel = 'C0WEB') {
    return worldNow().until(`it says: ${text}`, () => {
      const found = worldNow()
        .slack.messages(channel)
        .filter((message) => message.text === text)
      expect(found.length).toBeLessThan(2)
      return found[0]
    })
  }

  /** The creation whose message begins with these words. */
  function creationIn(words: string): Promise<Record<string, unknown>> {
    return worldNow().until('the thread is created', () => {
      const bodies = worldNow()
        .posts('/api/v1/threads')
        .map(({body}) => body as Record<string, unknown>)
      return bodies.find((body) => String(body['message']).startsWith(words))
    })
  }

  /** Opened first as a word that it is coming: until it can be sent. */
  function formOf(as: string, title: string) {
    return worldNow().until('the form is open', () => {
      const view = worldNow().slack.views(as).modals.at(-1)?.view
      return view?.['submit'] != null && JSON.stringify(view).includes(title)
    })
  }

  function sentTexts(): string[] {
    return worldNow()
      .posts('/api/v1/threads/:id/message')
      .map(({body}) => String((body as Record<string, unknown>)['text']))
  }
}
