import asyncio


def generate(prompts, mock_response=None):
    if mock_response:
        return [mock_response for _ in prompts]
    from dispatchlib import DispatchItem, dispatch_calls

    answers = asyncio.run(dispatch_calls([DispatchItem(prompt) for prompt in prompts]))
    return [answer.strip() for answer in answers]
