def generate(prompts, mock_response=None):
    if mock_response:
        return [mock_response for _ in prompts]
    from dispatchlib import DispatchCall, dispatch_calls

    answers = dispatch_calls([DispatchCall(prompt) for prompt in prompts])
    return [answer.strip() for answer in answers]
