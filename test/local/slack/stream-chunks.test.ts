import type {AnyChunk} from '@slack/types'
import {describe, expect, test} from 'vitest'
import {refusalDataOf, refusalOf} from './slack-fixture.ts'
import {divider, openStreamThread, text} from './stream-fixture.ts'

describe('what a stream may be given', () => {
  test('tasks change in place, and their details and output grow', async () => {
    const {client, start, readBack} = await openStreamThread()
    const task = {type: 'task_update', id: 't1'} as const
    const stream = await start({
      chunks: [text('On it'), {...task, title: 'Read', status: 'in_progress', details: 'a'}],
    })
    await client.chat.appendStream({
      ...stream,
      chunks: [
        text('Half way'),
        {
          ...task,
          title: 'Read it',
          status: 'complete',
          details: 'b',
          output: 'ok',
          sources: [{type: 'url', url: 'http://a.test/', text: 'Log'}],
        },
        {type: 'blocks', blocks: [divider]},
      ],
    })
    expect((await readBack())?.blocks).toMatchObject([
      {type: 'markdown', text: 'On it'},
      {
        type: 'task_card',
        task_id: 't1',
        title: 'Read it',
        status: 'complete',
        details: {elements: [{elements: [{text: 'ab'}]}]},
        sources: [{url: 'http://a.test/'}],
      },
      {type: 'markdown', text: 'Half way'},
      {type: 'divider'},
    ])
  })

  test.each([
    ['plan', [{title: 'Two steps', tasks: 2}]],
    [
      'dense',
      [
        {title: 'Two steps', tasks: 1},
        {title: 'Two steps', tasks: 1},
      ],
    ],
  ])('a %s gathers the tasks', async (mode, expected) => {
    const {client, place, readBack} = await openStreamThread()
    const task = (id: string): AnyChunk => ({type: 'task_update', id, title: id, status: 'pending'})
    await client.chat.startStream({
      ...place,
      task_display_mode: mode,
      chunks: [task('a'), text('Between'), task('b'), {type: 'plan_update', title: 'Two steps'}],
    })
    const blocks: {type?: string; title?: unknown; tasks?: unknown[]}[] = [
      ...((await readBack())?.blocks ?? []),
    ]
    const plans = blocks.filter(({type}) => type === 'plan')
    expect(plans.map(({title, tasks}) => ({title, tasks: tasks?.length}))).toEqual(expected)
  })

  test('chunks are checked one by one, with pointers', async () => {
    const {client, start} = await openStreamThread()
    const stream = await start()
    const append = (...chunks: unknown[]) =>
      refusalDataOf(client.apiCall('chat.appendStream', {...stream, chunks}))
    const task = {type: 'task_update', id: 't1', title: 'x', status: 'pending'}
    expect(await append({type: 'emoji'})).toMatchObject({
      error: 'invalid_chunks',
      response_metadata: {
        messages: ['[ERROR] unsupported type: emoji [json-pointer:/chunks/0/type]'],
      },
    })
    for (const chunk of [
      'text',
      {type: 'markdown_text'},
      {type: 'plan_update', title: 'x'.repeat(257)},
      {type: 'blocks'},
      {...task, id: ''},
      {...task, title: 'x'.repeat(257)},
      {...task, details: 'x'.repeat(257)},
      {...task, output: 'x'.repeat(257)},
      {...task, status: 'cancelled'},
      {...task, sources: [{type: 'link', url: 'http://a.test/', text: 'x'}]},
    ]) {
      expect(await append(chunk)).toMatchObject({error: 'invalid_chunks'})
    }
    expect(await append({type: 'blocks', blocks: [{type: 'section'}]})).toMatchObject({
      error: 'invalid_blocks',
    })
  })

  test('lengths are counted per chunk, blocks over the whole stream', async () => {
    const {client, start, readBack} = await openStreamThread()
    const stream = await start()
    const append = (...chunks: AnyChunk[]) => client.chat.appendStream({...stream, chunks})
    const blocks = (count: number): AnyChunk => ({
      type: 'blocks',
      blocks: Array.from({length: count}, () => divider),
    })
    expect(await refusalOf(append(text('x'.repeat(12_001))))).toBe('msg_too_long')
    await append(text('x'.repeat(12_000)))
    await append(text('x'.repeat(12_000)), blocks(49))
    expect(await refusalOf(append(blocks(51)))).toBe('msg_blocks_too_many')
    expect(await refusalOf(append(blocks(2)))).toBe('msg_blocks_too_many')
    await append(blocks(1))
    const many = Array.from({length: 51}, () => divider)
    expect(await refusalOf(client.chat.stopStream({...stream, blocks: many}))).toBe(
      'msg_blocks_too_many',
    )
    const long = Array.from({length: 5}, () => ({
      type: 'section' as const,
      text: {type: 'mrkdwn' as const, text: 'x'.repeat(3_000)},
    }))
    expect(await refusalOf(client.chat.stopStream({...stream, blocks: long}))).toBe(
      'msg_blocks_too_long',
    )
    await client.chat.stopStream({...stream, blocks: many.slice(1)})
    expect((await readBack())?.blocks).toHaveLength(1 + 50 + 50)
    const whole = start({markdown_text: 'x'.repeat(12_001)})
    expect(await refusalOf(whole)).toBe('msg_too_long')
  })

  test('text and chunks are not mixed', async () => {
    const {client, start} = await openStreamThread()
    const stream = await start({markdown_text: 'x'})
    const append = (args: {markdown_text?: string; chunks?: AnyChunk[]}) =>
      refusalOf(client.chat.appendStream({...stream, ...args}))
    expect(await append({chunks: [text('y')]})).toBe('streaming_mode_mismatch')
    expect(await append({markdown_text: 'y', chunks: [text('y')]})).toBe(
      'cannot_provide_both_markdown_text_and_chunks',
    )
    expect(await append({})).toBe('markdown_text_or_chunks_required')
    expect(await append({chunks: []})).toBe('no_text')
    const stop = client.chat.stopStream({...stream, chunks: [text('y')]})
    expect(await refusalOf(stop)).toBe('streaming_mode_mismatch')
  })

  test('only the app itself goes on with its own stream, and only until it has stopped it', async () => {
    const {client, threadTs, start} = await openStreamThread()
    const {ts: posted = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'x'})
    const append = (ts: string) =>
      refusalOf(client.chat.appendStream({channel: 'C0WEB', ts, markdown_text: 'x'}))
    expect(await append(threadTs)).toBe('message_not_owned_by_app')
    expect(await append(posted)).toBe('message_not_in_streaming_state')
    expect(await append('1700000000.000001')).toBe('message_not_found')
    const stream = await start()
    expect(await refusalOf(client.chat.stopStream(stream))).toBe('no_text')
    const metadata = {event_type: '', event_payload: {}}
    const untold = client.chat.stopStream({...stream, markdown_text: 'x', metadata})
    expect(await refusalOf(untold)).toBe('invalid_metadata_schema')
    const odd = {...stream, markdown_text: 'x', session_status: 'asleep'}
    expect(await refusalOf(client.apiCall('chat.stopStream', odd))).toBe('invalid_arguments')
    await client.chat.stopStream({...stream, markdown_text: 'End'})
    expect(await append(stream.ts)).toBe('message_not_in_streaming_state')
    const again = client.chat.stopStream({...stream, markdown_text: 'x'})
    expect(await refusalOf(again)).toBe('message_not_in_streaming_state')
  })
})
