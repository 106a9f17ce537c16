import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { emptyReply } from '../../engine.ts'
import { createTemplate } from '../message.ts'
import { type Exchange, commonFields, type MethodContext } from '../method.ts'
import { decodeReply, createReplyError } from '../replies/write-reply.ts'
import { writeFields } from './options.ts'

const bare = createTemplate({})

export function command(context: MethodContext): () => Exchange {
  const common = commonFields(context)
  const keepsDocument = context.method.documentIsRead === true
  return () => {
    const fields = new FieldReader()
    const whole = new BsonWriter(64)
    return {
      unacknowledged: undefined,
      begin({ command: asked }, message) {
        whole.at = 0
        whole.value(asked)
        const out = message.begin(bare)
        // Its fields, without its length and its end: others follow.
        out.copy(whole.bytes, 4, whole.at - 1)
        writeFields(common, out)
        message.endBody()
        message.finish()
      },
      take(bytes, start, end) {
        if (!isOk(fields.open(bytes, start, end))) throw createReplyError(decodeReply(bytes, start, end))
        return keepsDocument
          ? { ...emptyReply, document: Uint8Array.prototype.slice.call(bytes, start, end) }
          : emptyReply
      },
    }
  }
}

function isOk(fields: FieldReader): boolean {
  while (fields.next()) if (fields.is('ok')) return fields.number() === 1
  return false
}
