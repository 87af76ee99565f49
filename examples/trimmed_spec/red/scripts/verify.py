print("verified")
