import {type BrokenPlatform, dataOf, frames, nextId, rule, withData} from './ways.ts'

export const streamBreaks: readonly BrokenPlatform[] = [
  rule(
    'a stream begins without its status',
    '6',
    'status is the first frame, of this thread',
    () => ({
      frames: ({path}) => {
        let count = 0
        return path.startsWith('/tasks/') ? undefined : (frame) => (count++ === 0 ? '' : frame)
      },
    }),
  ),
  rule('a stream names no wait', '6', 'retry: 2000 follows the first frame', () => ({
    frames: () => (frame) => (frame.startsWith('retry:') ? '' : frame),
  })),
  rule('entries have no cursor', '6 4.3', 'each transcript frame has an id line of its own', () =>
    frames('transcript', (frame) => frame.replace(/^id: .*\n/m, '')),
  ),
  rule('entries come twice', '6 4.3', 'each entry comes once on a connection', () =>
    frames('transcript', (frame) => frame + frame),
  ),
  rule(
    'two entries change places',
    '6 4.3',
    'without a cursor the whole transcript comes, in the order of its pages',
    () => ({
      frames: ({path, query, headers}) => {
        if (path.startsWith('/tasks/') || query.size > 0 || 'last-event-id' in headers)
          return undefined
        let held = ''
        return (frame) => {
          if (!frame.startsWith('event: transcript\n')) return frame
          if (held === '' && dataOf(frame)['source'] === 'user') {
            held = frame
            return ''
          }
          const both = frame + held
          held = ''
          return both
        }
      },
    }),
  ),
  rule(
    'an entry reads otherwise on a stream',
    '6',
    'a transcript frame is the entry of the transcript',
    () =>
      frames('transcript', (frame) => {
        const data = dataOf(frame)
        return withData(frame, {...data, text: `${String(data['text'])} `})
      }),
  ),
  rule('a run never ends', '6', 'a run begins and ends', () =>
    frames('run', (frame) => (frame.includes('"end"') ? '' : frame)),
  ),
  rule('a turn has no outcome', '6', 'every frame is as documented', () =>
    frames('turn', (frame) => frame.replace(/,"outcome":"\w+"/, '')),
  ),
  rule('a status comes too late', '6', 'the last status frame says what the thread says', () => {
    let isFirst = true
    return frames('status', (frame) => {
      const isKept = isFirst || frame.includes('active')
      isFirst = false
      return isKept ? frame : ''
    })
  }),
  rule(
    'fragments hold all so far',
    '6',
    'a reply comes in fragments that its entry replaces',
    () => {
      const soFar = new Map<unknown, string>()
      return frames('assistant', (frame) => {
        const {callId, text} = dataOf(frame)
        const whole = (soFar.get(callId) ?? '') + String(text)
        soFar.set(callId, whole)
        return withData(frame, {callId, text: whole})
      })
    },
  ),
  rule('replies come at once', '6', 'a reply comes in fragments that its entry replaces', () =>
    frames('assistant', () => ''),
  ),
  rule(
    'a tool call has another id',
    '6',
    'the entry of a tool has the callId of its tool_call',
    () =>
      frames('tool_call', (frame) =>
        withData(frame, {...dataOf(frame), callId: `call_${nextId()}`}),
      ),
  ),
  rule(
    'Last-Event-ID is ignored',
    '4.3',
    [
      'Last-Event-ID resumes behind its entry',
      'Last-Event-ID wins over after',
      'a cursor that is not valid answers 400 before the stream starts',
    ],
    () => ({
      stream: ({headers}) => {
        delete headers['last-event-id']
      },
    }),
  ),
  rule('after is ignored on streams', '4.3', 'after is the same cursor', () => ({
    stream: ({query}) => query.delete('after'),
  })),
  rule('after wins over Last-Event-ID', '4.3', 'Last-Event-ID wins over after', () => ({
    stream: ({query, headers}) => {
      if (query.has('after')) delete headers['last-event-id']
    },
  })),
  rule(
    'a wrong cursor starts from the beginning',
    '4.3',
    'a cursor that is not valid answers 400 before the stream starts',
    () => ({
      stream: ({headers}) => {
        if (headers['last-event-id'] === 'check-platform') delete headers['last-event-id']
      },
    }),
  ),
  rule(
    'until is ignored',
    '4.3',
    [
      'until=run ends at once where nothing works',
      'until=run ends with done behind the run, and has its reply',
    ],
    () => ({stream: ({query}) => query.delete('until')}),
  ),
  rule('a silent stream stays silent', '8', 'a heartbeat comes every 15 seconds', () =>
    frames('heartbeat', () => ''),
  ),
]
